public import WharfCore

/// A queue that keeps entries on disk and delivers them to destinations.
///
/// ```swift
/// let entry = OutboxEntry(
///     id: outbox.newID(), lane: "note/1", kind: .init("note.edit"), payload: bytes, targets: .all("api"), enqueuedAt: now)
/// try await outbox.enqueue([entry], changing: [.put(row)])     // on the disk at return
/// ```
///
/// To conform, keep these laws (`OutboxLaws` in `WharfCoreLaws` checks them):
///
/// - When a call returns, its entries and their changes are in the store. If it throws, none is.
/// - Entries keep their order. A destination gets the entries of one lane in this order.
/// - Only entries of ``account`` are delivered.
/// - Concurrent drains deliver each entry once.
public protocol Outbox: Sendable {
    /// The store of the entries.
    var store: any WriteStore { get }

    /// The account whose entries are delivered; nil for entries without an account.
    var account: Account? { get }

    /// Creates an id from the present time. It sorts after all earlier ids of this outbox.
    func newID() -> OutboxEntry.ID

    /// Stores entries and changes in one transaction. If it throws, none is stored.
    ///
    /// - Returns: the deliveries that delivery classes have dropped to make room.
    /// - Throws: ``StoreError/Code/changed`` if an id is already in the journal.
    @discardableResult
    func enqueue(_ entries: [OutboxEntry], changing entities: [EntityChange]) async throws(StoreError) -> CommitResult

    /// Waits until each destination of an entry has settled it, and returns the states.
    ///
    /// Dead letters count as settled.
    ///
    /// - Returns: the states by the names of destinations; nil if the entry is not in the journal.
    ///   It was settled earlier or was never there.
    func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]?

    /// Waits until the named destinations of an entry have settled it.
    ///
    /// Use it if a destination may never settle the entry, and the answer does not depend on it.
    /// The default waits for each destination.
    ///
    /// - Parameter destinations: their names. Names that the entry does not have are left out.
    /// - Returns: the states of all destinations, as ``outcome(of:)`` returns them. Those of
    ///   destinations outside of `destinations` may be open.
    func outcome(
        of entry: OutboxEntry.ID, settling destinations: Set<String>
    ) async throws(StoreError) -> [String: OutboxRecord.State]?

    /// Adds a destination, or replaces the one with the same name.
    func register(_ destination: any Destination)

    /// Delivers all entries that are due now, without waiting for batches to fill.
    ///
    /// - Parameter limit: the maximum time; nil to go on as long as an entry is due.
    func drain(within limit: Duration?) async throws(StoreError) -> DrainReport
}

extension Outbox {
    /// Stores entries in one transaction, without changes of entities.
    @discardableResult
    public func enqueue(_ entries: OutboxEntry...) async throws(StoreError) -> CommitResult {
        try await enqueue(entries, changing: [])
    }

    public func outcome(
        of entry: OutboxEntry.ID, settling destinations: Set<String>
    ) async throws(StoreError) -> [String: OutboxRecord.State]? {
        try await outcome(of: entry)
    }
}
