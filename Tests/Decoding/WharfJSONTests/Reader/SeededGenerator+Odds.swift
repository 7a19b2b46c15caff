import WharfRandom

extension SeededGenerator {
    /// Returns true with a probability of 1/n.
    mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}
