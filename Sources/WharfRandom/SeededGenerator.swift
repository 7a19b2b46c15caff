/// A random number generator that repeats itself: the seed in a failure's message brings the
/// failure back (SplitMix64).
///
/// ```swift
/// var random = SeededGenerator(seed: seed)
/// let value = Int.random(in: 0..<100, using: &random)
/// #expect(law.holds(for: value), "\(random)")                       // … SeededGenerator(seed: 7)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    /// What it was made of. As many numbers later it is still that.
    public let seed: UInt64
    private var state: UInt64

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// As it is written in code.
    public var description: String { "SeededGenerator(seed: \(seed))" }
}

extension SeededGenerator {
    /// A generator for one purpose, whose numbers nobody else's draws shift.
    package init(seed: UInt64, for parts: UInt64...) {
        var mixed = SeededGenerator(seed: seed)
        for part in parts { mixed = SeededGenerator(seed: mixed.next() ^ part) }
        self = mixed
    }
}
