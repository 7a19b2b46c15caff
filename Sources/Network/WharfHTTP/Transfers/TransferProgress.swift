/// The progress of a body's transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public let completed: Int64
    /// The number of all bytes; nil if it is unknown.
    public let total: Int64?

    /// Creates a progress.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }
}
