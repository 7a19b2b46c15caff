/// A random number generator with reproducible numbers (SplitMix64).
///
/// A test that fails prints the seed, and the seed reproduces the failure.
///
/// ```swift
/// var random = SeededGenerator(seed: seed)
/// let value = Int.random(in: 0..<100, using: &random)
/// #expect(law.holds(for: value), "\(random)")                       // … SeededGenerator(seed: 7)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    /// The initial seed. It does not change when numbers are drawn.
    public let seed: UInt64
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    public mutating func next() -> UInt64 {
        // The odd increment visits all 2^64 states. The rest mixes the bits, so that neighbouring
        // seeds give unrelated numbers.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The generator as Swift code.
    public var description: String { "SeededGenerator(seed: \(seed))" }
}

extension SeededGenerator {
    /// Creates a generator for one purpose.
    ///
    /// Its numbers do not depend on the numbers that other generators have drawn.
    package init(seed: UInt64, for parts: UInt64...) {
        var mixed = SeededGenerator(seed: seed)
        for part in parts { mixed = SeededGenerator(seed: mixed.next() ^ part) }
        self = mixed
    }
}
