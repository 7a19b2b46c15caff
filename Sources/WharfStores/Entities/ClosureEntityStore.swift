public import WharfCore

/// An entity store made of closures, so that an app's own stack can be one: Core Data, Realm, a dictionary.
///
/// ```swift
/// let told = EntitySubscriptions()
/// let entities = ClosureEntityStore(subscriptions: told) { account, kind in
///     try await stack.rows(of: account, kind: kind)
/// } commit: { changes in
///     try await stack.save(changes)                         // in one transaction
/// } removeAll: { account in
///     try await stack.deleteAll(of: account)
/// }
/// // What the stack changes by itself, or another process:
/// for await _ in notifications { told.tellAll { _ in true } }
/// ```
///
/// `EntityStoreLaws` in `WharfCoreLaws` says whether the closures keep the contract. Errors that are no ``WharfCore/StoreError`` come
/// as ``WharfCore/StoreError/Code/failed`` with their cause.
public struct ClosureEntityStore: EntityStore {
    public typealias AllRows = @Sendable (_ account: Account?, _ kind: String) async throws -> [EntityRow]
    public typealias Row = @Sendable (EntityKey) async throws -> EntityRow?
    public typealias Rows = @Sendable ([EntityKey]) async throws -> [EntityRow]
    public typealias Query = @Sendable (RowQuery, _ account: Account?, _ kind: String) async throws -> [EntityRow]
    public typealias Commit = @Sendable ([EntityChange]) async throws -> Void
    public typealias RemoveAll = @Sendable (Account?) async throws -> Void

    private let subscriptions: EntitySubscriptions
    private let readRow: Row
    private let readRows: Rows
    private let answer: Query
    private let carryOut: Commit
    private let purge: RemoveAll

    /// - Parameters:
    ///   - subscriptions: to tell what is changed past this store. Of its own commits the store tells.
    ///   - row: one row by its key; nil to look for it in all of its kind.
    ///   - rows: the rows of several keys, as they are at one moment; nil to look for them in all of their kinds.
    ///   - query: rows as ``WharfCore/RowQuery/answer(_:id:fields:)`` would answer; nil to have that answer of all rows of the kind.
    ///   - allRows: the rows of one account and kind in any order.
    ///   - commit: carries out all changes in order, or throws with none carried out.
    ///   - removeAll: removes the rows of one account, of every kind.
    public init(
        subscriptions: EntitySubscriptions = EntitySubscriptions(), row: Row? = nil, rows: Rows? = nil,
        query: Query? = nil, allRows: @escaping AllRows, commit: @escaping Commit, removeAll: @escaping RemoveAll
    ) {
        self.subscriptions = subscriptions
        readRow = row ?? { key in try await allRows(key.account, key.kind).first { $0.key == key } }
        readRows =
            rows ?? { keys in
                var found: [EntityRow] = []
                for (scope, keys) in Dictionary(grouping: keys, by: \.scope) {
                    let wanted = Set(keys)
                    found += try await allRows(scope.account, scope.kind).filter { wanted.contains($0.key) }
                }
                return found
            }
        answer =
            query ?? { query, account, kind in
                query.answer(try await allRows(account, kind), id: { $0.key.id }, fields: { $0.fields })
            }
        carryOut = commit
        purge = removeAll
    }

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        do { return try await readRow(key) } catch { throw Self.failure(error, "read a row") }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        do {
            return Dictionary(try await readRows(keys).map { ($0.key, $0) }) { first, _ in first }
        } catch {
            throw Self.failure(error, "read rows")
        }
    }

    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        do { return try await answer(query, account, kind) } catch { throw Self.failure(error, "read rows") }
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        do { try await carryOut(changes) } catch { throw Self.failure(error, "commit") }
        subscriptions.tell(changes.lazy.map(\.key))
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        do { try await purge(account) } catch { throw Self.failure(error, "remove an account's rows") }
        subscriptions.tellAll { $0 == account }
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    private static func failure(_ error: any Error, _ what: String) -> StoreError {
        if let error = error as? StoreError { return error }
        let code: StoreError.Code = error is CancellationError ? .cancelled : .failed
        return StoreError(code, message: "the app's own store could not \(what): \(error)", cause: error)
    }
}
