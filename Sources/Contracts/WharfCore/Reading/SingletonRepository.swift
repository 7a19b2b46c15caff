/// A repository of one value at an endpoint without ids, such as `/me`.
///
/// It is read by the same policies as any model.
///
/// ```swift
/// let me = SingletonRepository(Repository(source: .http(client, singleton: .get("me").map(User.init))))
/// let user = try await me.get()
/// ```
public struct SingletonRepository<Value: Sendable>: Sendable {
    private let base: any ReadableRepository<Singleton<Value>>

    /// Creates a repository from one whose only model is the value.
    public init(_ base: any ReadableRepository<Singleton<Value>>) {
        self.base = base
    }

    /// Returns the value.
    ///
    /// - Parameter policy: the policy; nil for the repository's default.
    public func snapshot(policy: ReadPolicy? = nil) async -> Snapshot<Value> {
        await base.snapshot(id: .only, policy: policy).map(\.value)
    }

    /// Returns the value now, and again at each change, until the reader stops.
    ///
    /// - Parameter policy: the policy of the first read; nil for ``ReadPolicy/cacheThenNetwork``.
    public func observe(policy: ReadPolicy? = nil) -> SnapshotSequence<Value> {
        base.observe(id: .only, policy: policy).map(\.value)
    }

    /// Returns the value, even a kept one if the refresh failed.
    ///
    /// Use ``snapshot(policy:)`` to tell the two cases apart.
    public func get(policy: ReadPolicy? = nil) async throws(ReadFailure) -> Value {
        try await snapshot(policy: policy).get()
    }

    /// Reads the value and calls back exactly once with value and error together.
    ///
    /// The closure runs on the actor on which it was formed.
    @discardableResult
    public func snapshot(
        policy: ReadPolicy? = nil, completion: @escaping @isolated(any) @Sendable (Snapshot<Value>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(policy: policy)) }
        return Cancellation { task.cancel() }
    }
}

/// A value with a constant id, because repositories need one.
public struct Singleton<Value: Sendable>: Identifiable, Sendable {
    /// The id of a singleton. All ids are equal.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// The id of every singleton.
        public static var only: ID { ID() }
        public var description: String { "only" }
    }

    /// The value.
    public let value: Value
    public var id: ID { .only }

    /// Wraps a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Singleton: Equatable where Value: Equatable {}

extension RemoteSource {
    /// Returns a source of one value.
    public static func singleton<Value>(
        _ get: @escaping @Sendable (CacheMode) async -> Snapshot<Value>
    ) -> RemoteSource where Model == Singleton<Value> {
        RemoteSource(get: { _, mode in await get(mode).map(Singleton.init) })
    }
}

extension Codec {
    /// The codec of a ``Singleton`` of this value, with the same bytes.
    public var singleton: Codec<Singleton<Value>> { map(to: Singleton.init, from: \.value) }
}
