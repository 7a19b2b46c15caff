internal import WharfRandom

/// A sequence of seeds, until there are as many values as requested.
///
/// The first seed is the given one. So the seed of any value makes that value the first.
struct Seeds {
    private var seed: UInt64
    private let count: Int
    private(set) var taken = 0
    private var rejected = 0

    init(_ first: UInt64, count: Int) {
        seed = first
        self.count = count
    }

    /// The first seed of a test or law. It depends on the name only, so that each run tries the
    /// same inputs.
    ///
    /// `Hasher` would give another seed in each process.
    static func first(for name: String) -> UInt64 {
        name.utf8.reduce(0) { seed, byte in
            var random = SeededGenerator(seed: seed ^ UInt64(byte))
            return random.next()
        }
    }

    /// Returns the next seed, or nil after the last value.
    ///
    /// - Throws: ``GenerationError/Code/tooSelective`` if more than ten times as many seeds as
    ///   requested give no value.
    func next() throws(GenerationError) -> UInt64? {
        guard rejected <= 10 * max(count, 10) else {
            throw GenerationError(
                .tooSelective,
                message: "\(rejected) of \(rejected + taken) generated values were filtered out or too large; "
                    + "generate matching values directly, or filter less")
        }
        return taken < count ? seed : nil
    }

    /// - Parameter isValue: whether the seed gave a value.
    mutating func take(_ isValue: Bool) {
        // The next seed depends only on this one. So a failing seed, given as the first, repeats
        // the rest as well.
        if isValue { taken += 1 } else { rejected += 1 }
        var random = SeededGenerator(seed: seed)
        seed = random.next()
    }
}
