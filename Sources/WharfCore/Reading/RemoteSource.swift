/// Where models come from, as closures. `WharfHTTP` makes one from requests; an app makes one from
/// an SDK or a database.
///
/// ```swift
/// let source = RemoteSource<User>(get: { id in try await sdk.user(id) })
/// ```
public struct RemoteSource<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    public typealias Get = @Sendable (Model.ID, CacheMode) async -> Snapshot<Model>
    public typealias List = @Sendable (EntityQuery<Model>, CacheMode) async -> Snapshot<[Model]>
    public typealias Page = @Sendable (PageQuery<Model>, CacheMode) async -> Snapshot<WharfCore.Page<Model>>

    public let get: Get
    public let list: List?
    /// One page of a list; nil where the source has no pages. See ``paged(_:)``.
    public internal(set) var page: Page?
    /// The changes since a token; nil if the source can't tell. See ``syncing(_:)``.
    public internal(set) var changes: Changes?
    /// nil where it can only be read; see ``writing(_:)``.
    public internal(set) var write: Write?
    /// Reads a model where its changes go, if reads may be answered by another service, such as a
    /// mirror.
    package internal(set) var getToCompare: Get?

    /// A source that knows how to answer from what it keeps.
    ///
    /// - Parameters:
    ///   - get: one model. For ``CacheMode/storedOnly`` it must not touch the network, and answers
    ///     ``ReadFailure/Code/nothingKept`` where it has nothing.
    ///   - list: the models that a query asks for; nil where the source has no list.
    public init(get: @escaping Get, list: List? = nil) {
        self.get = get
        self.list = list
    }

    /// A source that keeps nothing: each call asks it, and what it throws is the failure of the
    /// read.
    ///
    /// - Parameter clock: stamps each value with the moment when it came.
    public init(
        get: @escaping @Sendable (Model.ID) async throws -> Model,
        list: (@Sendable (EntityQuery<Model>) async throws -> [Model])? = nil,
        clock: any WallClock = .system
    ) {
        self.get = { id, mode in await Self.ask(mode, clock) { try await get(id) } }
        if let list {
            self.list = { query, mode in await Self.ask(mode, clock) { try await list(query) } }
        } else {
            self.list = nil
        }
    }

    static func ask<Value: Sendable>(
        _ mode: CacheMode, _ clock: any WallClock, _ fetch: @Sendable () async throws -> Value
    ) async -> Snapshot<Value> {
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
