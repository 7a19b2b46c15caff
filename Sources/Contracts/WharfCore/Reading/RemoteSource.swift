/// A source of models, made of closures.
///
/// `WharfHTTP` makes one from requests. An app makes one from an SDK or a database.
///
/// ```swift
/// let source = RemoteSource<User>(get: { id in try await sdk.user(id) })
/// ```
public struct RemoteSource<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// Reads one model.
    public typealias Get = @Sendable (Model.ID, CacheMode) async -> Snapshot<Model>
    /// Reads the models that match a query.
    public typealias List = @Sendable (EntityQuery<Model>, CacheMode) async -> Snapshot<[Model]>
    /// Reads one page of a list.
    public typealias Page = @Sendable (PageQuery<Model>, CacheMode) async -> Snapshot<WharfCore.Page<Model>>

    /// Reads one model.
    public let get: Get
    /// Reads a list; nil if the source has no lists.
    public let list: List?
    /// Reads one page of a list; nil if the source has no pages. See ``paged(_:)``.
    public internal(set) var page: Page?
    /// Reads the changes since a token; nil if unsupported. See ``syncing(_:)``.
    public internal(set) var changes: Changes?
    /// Makes a change; nil if the source is read-only. See ``writing(_:)``.
    public internal(set) var write: Write?
    /// Reads a model from the service that its changes go to.
    ///
    /// It is set if another service, such as a mirror, may answer reads.
    package internal(set) var getToCompare: Get?
    /// Reads one model: the kept one, and then the network's.
    package internal(set) var getStoredThenNetwork: GetStoredThenNetwork
    /// Reads a list: the kept one, and then the network's; nil if the source has no lists.
    package internal(set) var listStoredThenNetwork: ListStoredThenNetwork?

    /// Creates a source that can answer from its own cache.
    ///
    /// - Parameters:
    ///   - get: reads one model. For ``CacheMode/storedOnly`` it must not use the network. It then
    ///     returns ``ReadFailure/Code/nothingKept`` if it has no value.
    ///   - list: reads the models that match a query; nil if the source has no lists.
    public init(get: @escaping Get, list: List? = nil) {
        self.get = get
        self.list = list
        getStoredThenNetwork = { id in await StoredThenNetwork { mode in await get(id, mode) } }
        guard let list else { return }
        listStoredThenNetwork = { query in await StoredThenNetwork { mode in await list(query, mode) } }
    }

    /// Creates a source without a cache, which calls the closures for each read.
    ///
    /// An error that a closure throws is the failure of the read.
    ///
    /// - Parameter clock: gives the time at which each value arrived.
    public init(
        get: @escaping @Sendable (Model.ID) async throws -> Model,
        list: (@Sendable (EntityQuery<Model>) async throws -> [Model])? = nil,
        clock: any WallClock = .system
    ) {
        let one: Get = { id, mode in await Self.ask(mode, clock) { try await get(id) } }
        var all: List?
        if let list { all = { query, mode in await Self.ask(mode, clock) { try await list(query) } } }
        self.init(get: one, list: all)
    }

    static func ask<Value: Sendable>(
        _ mode: CacheMode, _ clock: any WallClock, _ fetch: @Sendable () async throws -> Value
    ) async -> Snapshot<Value> {
        // Closures have no cache, so a read of kept values must not call them.
        guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothingKept) }
        do {
            return Snapshot(kept: .init(value: try await fetch(), source: .network, asOf: clock.now()))
        } catch let failure as ReadFailure {
            return Snapshot(kept: nil, error: failure)
        } catch let error as CancellationError {
            return Snapshot(kept: nil, error: .cancelled(error))
        } catch {
            return Snapshot(
                kept: nil, error: ReadFailure(.sourceFailed, message: "the source threw: \(error)", cause: error)
            )
        }
    }
}

extension ReadFailure {
    package static func cancelled(_ cause: (any Error)? = nil) -> ReadFailure {
        ReadFailure(.cancelled, message: "the read was cancelled before an answer came", cause: cause)
    }
}
