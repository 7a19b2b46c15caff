/// A queue that keeps entries on the disk and delivers them to destinations.
///
/// ```swift
/// let entry = OutboxEntry(
///     id: outbox.newID(), lane: "note/1", kind: .init("note.edit"), payload: bytes, targets: .all("api"), enqueuedAt: now)
/// try await outbox.enqueue([entry], changing: [.put(row)])     // on the disk at return
/// ```
///
/// To conform, hold these laws (`OutboxLaws` in `WharfCoreLaws` checks them):
///
/// - Entries of one call, and their changes, are in the store at return, or the call throws and
///   nothing is.
/// - Entries keep their order. A destination gets those of one lane in this order.
/// - Only entries of ``account`` are delivered.
/// - Drains at the same time deliver each entry once.
public protocol Outbox: Sendable {
    var store: any WriteStore { get }

    /// The account whose entries are delivered; nil for entries without an account.
    var account: Account? { get }

    /// Creates an id of now. It sorts after each id that this outbox made before.
    func newID() -> OutboxEntry.ID

    /// Keeps entries and changes in one transaction: all of them, or none if it throws.
    ///
    /// - Returns: the deliveries that delivery classes have dropped for them.
    /// - Throws: ``StoreError/Code/changed`` if an id is in the journal already.
    @discardableResult
    func enqueue(_ entries: [OutboxEntry], changing entities: [EntityChange]) async throws(StoreError) -> Committed

    /// Waits until each destination of an entry has settled it.
    ///
    /// Dead letters count as settled.
    ///
    /// - Returns: the states by the names of destinations; nil if the entry is not in the journal,
    ///   because it was settled before or was never there.
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
