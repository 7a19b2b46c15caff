/// The number of a commit of one account.
///
/// A store assigns the numbers in its transactions: dense, and in the order of the commits. Numbers
/// of different accounts are not related.
public struct StoreVersion: Hashable, Comparable, Sendable {
    public var number: Int64

    public init(_ number: Int64) { self.number = number }

    /// The version of an account before its first commit.
    public static let none = StoreVersion(0)

    /// The version that the next commit gets.
    public var next: StoreVersion { StoreVersion(number + 1) }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension StoreVersion: CustomStringConvertible {
    public var description: String { "v\(number)" }
}
