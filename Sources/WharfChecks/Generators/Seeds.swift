internal import WharfRandom

/// One seed after the other until there are as many values as asked for. The first seed is the
/// given one, so that the seed of any value makes that value the first.
struct Seeds {
    private var seed: UInt64
    private let count: Int
    private(set) var taken = 0
    private var rejected = 0

    init(_ first: UInt64, count: Int) {
        seed = first
        self.count = count
    }

    /// The first seed of a test or law: it follows from the name, so that each run tries the same
    /// inputs.
    ///
    /// `Hasher` would give another one in each process.
    static func first(for name: String) -> UInt64 {
        name.utf8.reduce(0) { seed, byte in
            var random = SeededGenerator(seed: seed ^ UInt64(byte))
            return random.next()
        }
    }

    /// - Throws: ``GenerationError/Code/tooSelective`` when ten times as many seeds give no value
    ///   as are asked for.
    func next() throws(GenerationError) -> UInt64? {
        guard rejected <= 10 * max(count, 10) else {
            throw GenerationError(
                .tooSelective,
                message: "expected a generator that makes values, found that \(rejected) of \(rejected + taken) were "
                    + "filtered out or too large; make what is wanted directly, or filter less")
        }
        return taken < count ? seed : nil
    }

    /// - Parameter isValue: whether the seed gave a value.
    mutating func take(_ isValue: Bool) {
        if isValue { taken += 1 } else { rejected += 1 }
        var random = SeededGenerator(seed: seed)
        seed = random.next()
    }
}
