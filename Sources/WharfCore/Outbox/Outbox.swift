/// Takes entries, and sees to it that they arrive.
///
/// ```swift
/// let entry = OutboxEntry(
///     id: outbox.newID(), lane: "note/1", kind: .init("note.edit"), payload: bytes, targets: .all("api"), enqueuedAt: now)
/// try await outbox.enqueue([entry], changing: [.put(row)])     // on the disk at return
/// ```
public protocol Outbox: Sendable {
    var store: any WriteStore { get }

    /// The account whose entries are delivered; nil for entries without an account.
    var account: Account? { get }

    /// An id of now.
    func newID() -> OutboxEntry.ID

    /// Returns when entries and changes are on the disk: all of them, or none where it throws.
    ///
    /// - Returns: what delivery classes have dropped for them.
    @discardableResult
    func enqueue(_ entries: [OutboxEntry], changing entities: [EntityChange]) async throws(StoreError) -> Committed

    /// Waits until each destination of an entry has settled: what it made of it, by its name.
    ///
    /// Dead letters count as settled. nil for what is not in the journal: everything of it was settled before.
    func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]?

    /// Adds a destination, or replaces the one of the same name.
    func register(_ destination: any Destination)

    /// Delivers what is due now, without waiting for batches to fill.
    ///
    /// - Parameter limit: the time that it may take; nil for as long as something is due.
    func drain(within limit: Duration?) async throws(StoreError) -> DrainReport
}

extension Outbox {
    @discardableResult
    public func enqueue(_ entries: OutboxEntry...) async throws(StoreError) -> Committed {
        try await enqueue(entries, changing: [])
    }
}
