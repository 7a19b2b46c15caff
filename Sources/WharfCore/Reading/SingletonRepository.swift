/// The one value at an endpoint that has no ids, such as `/me`, read by the same policies as any
/// model.
///
/// ```swift
/// let me = SingletonRepository(Repository(source: .http(client, singleton: .get("me").map(User.init))))
/// let user = try await me.get()
/// ```
public struct SingletonRepository<Value: Sendable>: Sendable {
    private let base: any ReadableRepository<Singleton<Value>>

    public init(_ base: any ReadableRepository<Singleton<Value>>) {
        self.base = base
    }

    /// - Parameter policy: nil for the repository's own default.
    public func snapshot(policy: ReadPolicy? = nil) async -> Snapshot<Value> {
        await base.snapshot(id: .only, policy: policy).map(\.value)
    }

    /// The value now and whenever the repository learns something newer, until the reader leaves.
    ///
    /// - Parameter policy: how it starts; nil for ``ReadPolicy/cacheThenNetwork``.
    public func observe(policy: ReadPolicy? = nil) -> SnapshotSequence<Value> {
        base.observe(id: .only, policy: policy).map(\.value)
    }

    /// The value, also a kept one when the refresh failed; ``snapshot(policy:)`` tells the two
    /// apart.
    public func get(policy: ReadPolicy? = nil) async throws(ReadFailure) -> Value {
        try await snapshot(policy: policy).get()
    }

    /// Calls back exactly once with value and error together, on the actor where the closure was
    /// formed.
    @discardableResult
    public func snapshot(
        policy: ReadPolicy? = nil, completion: @escaping @isolated(any) @Sendable (Snapshot<Value>) -> Void
    ) -> Cancellation {
        let task = Task { await completion(await snapshot(policy: policy)) }
        return Cancellation { task.cancel() }
    }
}

/// A value that has an id because repositories ask for one: always the same.
public struct Singleton<Value: Sendable>: Identifiable, Sendable {
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public static var only: ID { ID() }
        public var description: String { "only" }
    }

    public let value: Value
    public var id: ID { .only }

    public init(_ value: Value) {
        self.value = value
    }
}

extension Singleton: Equatable where Value: Equatable {}

extension RemoteSource {
    /// A source of one value.
    public static func singleton<Value>(
        _ get: @escaping @Sendable (CacheMode) async -> Snapshot<Value>
    ) -> RemoteSource where Model == Singleton<Value> {
        RemoteSource(get: { _, mode in await get(mode).map(Singleton.init) })
    }
}

extension Codec {
    /// The same bytes for a ``Singleton``.
    public var singleton: Codec<Singleton<Value>> { map(to: Singleton.init, from: \.value) }
}
