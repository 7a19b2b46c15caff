/// Keeps entities as rows of bytes, each by its key, with the fields that queries ask for.
///
/// To conform, hold these laws (`EntityStoreLaws` in `WharfCoreLaws` checks them):
///
/// - A commit is there as a whole or not at all, for every reader, also after a kill. Of two changes of one key the later counts.
/// - A row comes back as it was put: bytes, schema, time and fields.
/// - A query answers what ``RowQuery/answer(_:id:fields:)`` does, of one account and kind.
/// - ``changes(of:kind:)`` misses nothing: whoever subscribes first and reads then hears of every commit that the read did not see,
///   whoever made it. Of the store's own it has told before ``commit(_:)`` returns.
/// - Nothing of one account is ever seen under another, and nil is an account of its own.
///
/// ```swift
/// let changes = store.changes(of: account, kind: "note")      // first
/// var rows = try await store.rows(RowQuery(), of: account, kind: "note")
/// for await change in changes {
///     rows = try await store.rows(RowQuery(), of: account, kind: "note")
/// }
/// ```
public protocol EntityStore: Sendable {
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow?

    /// The rows of these keys, as they were at one moment; a key that has none is left out.
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow]

    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow]

    func commit(_ changes: [EntityChange]) async throws(StoreError)

    func removeAll(of account: Account?) async throws(StoreError)

    /// Subscribes at the call, not at the first element.
    func changes(of account: Account?, kind: String) -> EntityChanges
}
