/// How far a body has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes so far.
    public let completed: Int64
    /// Bytes in all; nil when nobody said.
    public let total: Int64?

    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }
}
