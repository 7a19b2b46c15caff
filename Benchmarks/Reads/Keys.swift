/// Which entries a sample reads.
enum Keys {
    /// The same one each time.
    case hot
    /// Each entry as likely as any other.
    case random

    func pick(_ count: Int, of entries: Int) -> [Int] {
        switch self {
        case .hot: Array(repeating: entries / 2, count: count)
        case .random: (0..<count).map { _ in Int.random(in: 0..<entries) }
        }
    }
}
