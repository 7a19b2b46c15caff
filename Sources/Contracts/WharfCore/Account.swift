/// The owner of the data that a stack reads and writes.
///
/// The account is part of every cache key, so an answer for one account is never given to another.
/// One `WharfStack` serves one account.
public struct Account: Hashable, Sendable {
    /// The name that tells accounts apart.
    public let name: String

    /// Creates an account from its name.
    public init(_ name: String) {
        self.name = name
    }
}
