internal import Foundation
internal import Logging
internal import WharfCache
public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfOutbox
public import WharfRepository
public import WharfStorage
internal import WharfStores

#if !canImport(Darwin)
internal import WharfContentCoding
#endif
#if SQLite
internal import WharfSQLite
#endif

/// The data layer of an app for one service.
///
/// It composes transport, cache, redirects, retries, client and repositories.
///
/// ```swift
/// let stack = try await WharfStack.live(baseURL: "https://api.example.com")
/// let users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
/// for await snapshot in users.observe(id: 1) {
///     show(snapshot.value, snapshot.kept?.asOf, snapshot.error)
/// }
/// ```
///
/// One stack serves one account. An app can also use each part alone and compose the parts in
/// another way. Only this type depends on all of them.
public final class WharfStack: Sendable {
    /// The client for typed requests without a repository.
    public let client: APIClient
    /// The path of the file with responses; nil if they are in memory.
    ///
    /// Responses are also kept in memory if the file could not be opened.
    public let cachePath: String?

    /// The store of the models of ``repository(_:_:)``.
    public let entities: any EntityStore

    /// The outbox of the repositories' changes; nil if changes are sent at once.
    ///
    /// Changes wait in it until the service has them.
    public let outbox: OutboxEngine?

    let cache: CacheLocation
    let store: any CacheStore
    let cacheDecorator: (@Sendable (any CacheStore) -> any CacheStore)?
    let closeTransport: @Sendable () -> Void
    let report: IncidentHandler
    let repositories = OpenRepositories()
    /// The data file, if the stack has opened it.
    let data: StackData?
    private let shared = SharedRepositories()
    private let connectivity: (any Connectivity)?

    private init(
        _ configuration: Configuration, client: APIClient, store: any CacheStore, cachePath: String?, data: StackData?,
        closeTransport: @escaping @Sendable () -> Void
    ) {
        let outbox = data?.outbox ?? configuration.outbox
        self.client = client
        self.cache = configuration.cache
        self.cachePath = cachePath
        self.entities = configuration.entities ?? outbox?.store ?? MemoryEntityStore()
        self.store = store
        self.cacheDecorator = configuration.cacheDecorator
        self.data = data
        self.closeTransport = closeTransport
        self.outbox = outbox
        self.connectivity = configuration.connectivity
        self.report = configuration.report
    }

    /// Opens a stack over the real network and the real disk.
    ///
    /// ```swift
    /// let stack = try await WharfStack.live(
    ///     baseURL: "https://api.example.com", account: Account("ann"), data: .applicationSupport())
    /// ```
    ///
    /// With a data file the app works offline: models survive a restart, and changes wait in an
    /// outbox until the service has them. The stack opens the file and delivers the waiting
    /// changes; ``close()`` closes it.
    ///
    /// - Parameters:
    ///   - baseURL: the URL to which the paths of requests are added.
    ///   - account: the owner of the data; see ``Configuration/account``.
    ///   - data: the file of models and waiting changes; nil keeps models in memory and sends
    ///     changes at once.
    /// - Throws: as ``live(_:)``.
    public static func live(
        baseURL: String, account: Account? = nil, data: DataLocation? = nil
    ) async throws(ReadFailure) -> WharfStack {
        try await live(Configuration(baseURL: baseURL, account: account, data: data))
    }

    /// Opens a stack over the real network and the real disk, with parts of your own.
    ///
    /// If the cache can't be opened, the stack still opens: responses are kept in memory, and an
    /// incident has the reason. If the data file can't be opened, this call throws.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` if `baseURL` is no URL, or the parts of the
    ///   configuration contradict each other. ``ReadFailure/Code/storeFailed`` with a
    ///   ``StoreError`` as its cause if the data file can't be opened. The file is left as it is.
    public static func live(_ configuration: Configuration) async throws(ReadFailure) -> WharfStack {
        let environment = try APIEnvironment(configuration.baseURL, fields: configuration.fields)
        // Before the file is opened: an error after that would leave the file open without an
        // owner.
        try configuration.check()
        let data = try await StackData.open(configuration)
        let report = configuration.report
        let (store, path) = await openStore(configuration.cache, configuration.onCacheEvent, report)
        let (base, closeTransport) = openTransport(configuration.transport)
        var caching = CacheConfiguration.privateClient
        caching.onEvent = configuration.onCacheEvent
        var cached: any Transport = CachingTransport(
            base, store: configuration.cacheDecorator?(store) ?? store, configuration: caching, onIncident: report)
        #if !canImport(Darwin)
        // Above the cache, which so stores the encoded bytes of the service: they are smaller, and
        // `Content-Encoding` and the entity tag describe them. `URLSession` decodes by itself, and
        // a transport of the app may have readers below the cache, such as a recording.
        if configuration.transport == nil { cached = ContentDecodingTransport(cached) }
        #endif
        var middleware: [any Middleware] = [
            LoggingMiddleware(logger: configuration.logger, level: .debug, failureLevel: .debug),
            RetryMiddleware(policy: configuration.retry),
        ]
        // Credentials are the innermost middleware. So the log never contains a credential, and
        // each attempt of the retry middleware gets the current one.
        if let credentials = configuration.credentials {
            let outbox = data?.outbox ?? configuration.outbox
            middleware.append(
                AuthenticationMiddleware(credentials, for: environment) { outbox?.credentialChanged() })
        }
        let client = APIClient(
            environment: environment, transport: RedirectingTransport(cached), middleware: middleware,
            account: configuration.account, timeout: configuration.timeout)
        data?.outbox.start()
        return WharfStack(
            configuration, client: client, store: store, cachePath: path, data: data, closeTransport: closeTransport)
    }

    /// Returns the read-only repository of the models at a path.
    ///
    /// `GET <path>` is the list, `GET <path>/<id>` one model.
    ///
    /// Keep the repository: it holds the last good values. While it is held or observed, calls for
    /// the same path, payload and model return the same repository. So two screens share requests
    /// and models. The mapping is that of the first call. Closing the repository ends it for all
    /// callers.
    ///
    /// - Parameters:
    ///   - payload: the type that the service sends.
    ///   - mapping: makes the model from a payload; its error becomes
    ///     ``ReadFailure/Code/unmappable``.
    @inlinable public func repository<Payload: JSONDecodable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, payload: Payload.Type, mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload) { repository(.http(client, at: path, payload: payload, mapping: mapping)) }
    }

    /// Returns the same repository for payloads that are not `JSONDecodable`.
    ///
    /// - Parameter json: the keys and dates of the payloads. If several calls share a repository,
    ///   those of the first call are used.
    @_disfavoredOverload public func repository<Payload: Decodable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, payload: Payload.Type, json: CodableJSON = CodableJSON(),
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload) { repository(.http(client, at: path, payload: payload, json: json, mapping: mapping)) }
    }

    /// Returns a repository over a source of your own, for a service with another layout.
    ///
    /// - Parameters:
    ///   - policy: the policy of reads without one.
    ///   - interval: the interval at which observed values are refreshed, fresh or not; nil for
    ///     never.
    public func repository<Model: Identifiable & Sendable>(
        _ source: RemoteSource<Model>, policy: ReadPolicy = .standard, refreshing interval: Duration? = nil
    ) -> Repository<Model> where Model.ID: Sendable {
        let repository = Repository(
            source: source, configuration: .init(policy: policy, connectivity: connectivity, refreshInterval: interval))
        repositories.add(repository)
        return repository
    }

    /// Returns a repository over a source of your own, whose models are kept in ``entities``.
    ///
    /// If the stack has an outbox, changes go through it.
    ///
    /// - Parameters:
    ///   - policy: the policy of reads without one.
    ///   - interval: the interval at which observed values are refreshed, fresh or not; nil for
    ///     never.
    public func repository<Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, _ source: RemoteSource<Model>, policy: ReadPolicy = .standard,
        refreshing interval: Duration? = nil
    ) -> Repository<Model> where Model.ID: Sendable {
        var configuration = RepositoryConfiguration(
            policy: policy, connectivity: connectivity, refreshInterval: interval)
        configuration.onIncident = report
        let repository = Repository(
            kind, in: entities, account: client.account, remote: source, outbox: outbox, configuration: configuration)
        if let destination = repository.destination { outbox?.register(destination) }
        repositories.add(repository)
        return repository
    }

    /// Returns the shared repository of a path, or a new one.
    ///
    /// - Parameters:
    ///   - kind: the name of the kind; nil without a store.
    ///   - isWriting: whether its source accepts changes.
    @usableFromInline func shared<Payload, Model>(
        _ path: RequestPath, _ payload: Payload.Type, kind: String? = nil, isWriting: Bool = false,
        _ make: () -> Repository<Model>
    ) -> Repository<Model> {
        // Payload and model belong to the key, as two calls for one path may decode it differently.
        let key = SharedRepositories.Key(
            path: path.encoded, kind: kind, isWriting: isWriting, payload: ObjectIdentifier(payload),
            model: ObjectIdentifier(Model.self))
        return shared.repository(key, or: make)
    }

    /// Closes the stack.
    ///
    /// - Requests in flight, and later requests, fail with ``ReadFailure/Code/cancelled``.
    /// - The sequences of its repositories end, and reads through them fail with
    ///   ``ReadFailure/Code/closed``.
    /// - The cache file is closed. So is the data file if the stack has opened it. Undelivered
    ///   changes stay in it for the next start.
    /// - The client can still read responses in memory, and local files.
    public func close() async {
        await end()
        do throws(StoreError) {
            try await data?.close()
        } catch {
            report(Incident(.storeFailed, message: error.message, cause: error))
        }
        #if SQLite
        guard let store = store as? SQLiteCacheStore else { return }
        do {
            try await store.close()
        } catch {
            report(Incident(.storeFailed, message: error.message, cause: error))
        }
        #endif
    }

    /// Ends all users of the stores. Returns after the last write into a data file of the stack.
    func end() async {
        // The outbox first: it cancels its own requests and settles them. With the transport closed
        // before, new deliveries could still begin and fail.
        await data?.outbox.close()
        repositories.close()
        closeTransport()
        // The file is closed next, so no write may still be running.
        if data != nil { await repositories.end() }
    }

    private static func openTransport(
        _ given: (any Transport)?
    ) -> (any Transport, close: @Sendable () -> Void) {
        guard let given else {
            let own = PlatformTransport()
            return (own, own.close)
        }
        let lent = BorrowedTransport(given)
        return (lent, lent.close)
    }

    private static func openStore(
        _ location: CacheLocation, _ onEvent: CacheEventHandler?, _ report: @escaping IncidentHandler
    ) async -> (any CacheStore, path: String?) {
        let onEviction: @Sendable (CacheEviction) -> Void = { onEvent?(CacheEvent($0)) }
        #if SQLite
        if let path = location.path {
            do throws(StoreError) {
                let store = try await SQLiteCacheStore.open(
                    at: path, byteLimit: location.byteLimit, onEviction: onEviction, onIncident: report)
                return (store, path)
            } catch {
                report(
                    Incident(.storeUnavailable, message: "\(error.message); responses are kept in memory", cause: error)
                )
            }
        }
        #else
        if let path = location.path {
            report(
                Incident(
                    .storeUnavailable,
                    message:
                        "a cache at \(path) needs the trait SQLite, which is off; responses are kept in memory"
                )
            )
        }
        #endif
        // The byte limit of a file is too large for memory, so a memory cache in its place is
        // smaller.
        let limit = location.path == nil ? location.byteLimit : min(location.byteLimit, 32 << 20)
        return (MemoryCacheStore(byteLimit: Int(limit), onEviction: onEviction), nil)
    }
}
