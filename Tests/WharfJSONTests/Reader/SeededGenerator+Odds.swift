import WharfRandom

extension SeededGenerator {
    /// True once in `n` times.
    mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}
