/// The number of a commit of one account.
///
/// A store assigns the numbers in its transactions. They are dense and in the order of the commits.
/// Numbers of different accounts are unrelated.
public struct StoreVersion: Hashable, Comparable, Sendable {
    /// The number; 0 before the first commit.
    public var number: Int64

    /// Creates a version from its number.
    public init(_ number: Int64) { self.number = number }

    /// The version of an account before its first commit.
    public static let none = StoreVersion(0)

    /// The version of the next commit.
    public var next: StoreVersion { StoreVersion(number + 1) }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension StoreVersion: CustomStringConvertible {
    public var description: String { "v\(number)" }
}
