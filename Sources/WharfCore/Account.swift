/// Whose data this is.
///
/// It is part of every cache key, so that what one person read never answers another. One
/// `WharfStack` serves one account.
public struct Account: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }
}
