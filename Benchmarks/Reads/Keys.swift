/// The choice of the entries that a sample reads.
enum Keys {
    /// The same entry each time.
    case hot
    /// Entries chosen uniformly at random.
    case random

    func pick(_ count: Int, of entries: Int) -> [Int] {
        switch self {
        case .hot: Array(repeating: entries / 2, count: count)
        case .random: (0..<count).map { _ in Int.random(in: 0..<entries) }
        }
    }
}
