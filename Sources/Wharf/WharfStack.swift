internal import Foundation
internal import Logging
internal import WharfCache
public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfOutbox
public import WharfRepository
internal import WharfStores

#if SQLite
internal import WharfSQLite
#endif

/// Everything between an app and one service, put together: transport, cache, redirects, retries,
/// client, repositories.
///
/// ```swift
/// let stack = try await WharfStack.live(baseURL: "https://api.example.com")
/// let users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
/// for await snapshot in users.observe(id: 1) {
///     show(snapshot.value, snapshot.kept?.asOf, snapshot.error)
/// }
/// ```
///
/// One stack serves one account. Each part can be taken by itself and put together in another way;
/// nothing but this type knows all of them.
public final class WharfStack: Sendable {
    /// Typed requests without a repository.
    public let client: APIClient
    /// The file that responses are kept in; nil when they are in memory, which is also so when the
    /// file could not be opened.
    public let cachePath: String?

    /// Where the models of ``repository(_:_:)`` are kept.
    public let entities: any EntityStore

    /// The outbox where changes of repositories wait until the service has them; nil if changes are
    /// sent at once.
    public let outbox: OutboxEngine?

    let cache: CacheLocation
    let store: any CacheStore
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
    /// With a data file the stack is that of an offline app: models outlive the process, and
    /// changes wait in an outbox until the service has them. The stack opens the file, delivers
    /// what waits in it, and closes it with ``close()``.
    ///
    /// - Parameters:
    ///   - baseURL: the URL to which the paths of requests are added.
    ///   - account: the owner of the data; see ``Configuration/account``.
    ///   - data: the file of models and of changes that wait; nil keeps models in memory and sends
    ///     changes at once.
    /// - Throws: as ``live(_:)``.
    public static func live(
        baseURL: String, account: Account? = nil, data: DataLocation? = nil
    ) async throws(ReadFailure) -> WharfStack {
        try await live(Configuration(baseURL: baseURL, account: account, data: data))
    }

    /// Opens a stack over the real network and the real disk, with parts of your own.
    ///
    /// A cache that can't be opened does not keep an app from starting: responses are then kept in
    /// memory, and the incident says why. A data file that can't be opened does.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` if `baseURL` is no URL, or the parts do not
    ///   fit together; ``ReadFailure/Code/storeFailed`` with a ``StoreError`` as its cause if the
    ///   data file can't be opened. The file is left as it is.
    public static func live(_ configuration: Configuration) async throws(ReadFailure) -> WharfStack {
        let environment = try APIEnvironment(configuration.baseURL, fields: configuration.fields)
        try configuration.check()
        let data = try await StackData.open(configuration)
        let report = configuration.report
        let (store, path) = await openStore(configuration.cache, report)
        let (base, closeTransport) = openTransport(configuration.transport)
        let cached = CachingTransport(base, store: store, onIncident: report)
        var middleware: [any Middleware] = [
            LoggingMiddleware(logger: configuration.logger, level: .debug, failureLevel: .debug),
            RetryMiddleware(policy: configuration.retry),
        ]
        // Innermost: the log above never sees a credential, and each try gets the one that is
        // current.
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

    /// The repository of the models at a path: `GET <path>` is the list, `GET <path>/<id>` one
    /// model.
    ///
    /// Keep it: it holds the last good values. Calls for one path, payload and model give the same
    /// repository while it is held or observed, so two screens share requests and models. The
    /// mapping is that of the first call, and to close the repository ends it for all.
    ///
    /// - Parameters:
    ///   - payload: the type that the service sends.
    ///   - mapping: makes the model of a payload; an error that it throws becomes
    ///     ``ReadFailure/Code/unmappable``.
    @inlinable public func repository<Payload: JSONDecodable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, payload: Payload.Type, mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload) { repository(.http(client, at: path, payload: payload, mapping: mapping)) }
    }

    /// The same for payloads that are not `JSONDecodable`.
    ///
    /// - Parameter json: the keys and dates of the payloads; of calls that share a repository, the
    ///   first one decides.
    @_disfavoredOverload public func repository<Payload: Decodable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, payload: Payload.Type, json: CodableJSON = CodableJSON(),
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload) { repository(.http(client, at: path, payload: payload, json: json, mapping: mapping)) }
    }

    /// A repository over a source of your own making, for a service of another shape.
    ///
    /// - Parameters:
    ///   - policy: what a read does that names none.
    ///   - interval: how often what is observed is asked for again, fresh or not; nil for never.
    public func repository<Model: Identifiable & Sendable>(
        _ source: RemoteSource<Model>, policy: ReadPolicy = .standard, refreshing interval: Duration? = nil
    ) -> Repository<Model> where Model.ID: Sendable {
        let repository = Repository(
            source: source, policy: policy, connectivity: connectivity, refreshing: interval)
        repositories.add(repository)
        return repository
    }

    /// A repository whose models are kept in ``entities``, over a source of your own making. Its
    /// changes go through the stack's outbox, where there is one.
    ///
    /// - Parameters:
    ///   - policy: what a read does that names none.
    ///   - interval: how often what is observed is asked for again, fresh or not; nil for never.
    public func repository<Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, _ source: RemoteSource<Model>, policy: ReadPolicy = .standard,
        refreshing interval: Duration? = nil
    ) -> Repository<Model> where Model.ID: Sendable {
        let repository = Repository(
            kind, in: entities, account: client.account, remote: source, outbox: outbox, policy: policy,
            connectivity: connectivity, refreshing: interval, onIncident: report)
        if let destination = repository.destination { outbox?.register(destination) }
        repositories.add(repository)
        return repository
    }

    /// The repository of a path, shared by all that ask for it.
    ///
    /// - Parameters:
    ///   - kind: the name of the kind; nil without a store.
    ///   - isWriting: whether its source can be written to.
    @usableFromInline func shared<Payload, Model>(
        _ path: RequestPath, _ payload: Payload.Type, kind: String? = nil, isWriting: Bool = false,
        _ make: () -> Repository<Model>
    ) -> Repository<Model> {
        let key = SharedRepositories.Key(
            path: path.encoded, kind: kind, isWriting: isWriting, payload: ObjectIdentifier(payload),
            model: ObjectIdentifier(Model.self))
        return shared.repository(key, or: make)
    }

    /// Closes the stack.
    ///
    /// Requests that are under way on the network fail with ``ReadFailure/Code/cancelled``, as
    /// later ones do. The sequences of its repositories end, and reads through them answer with
    /// ``ReadFailure/Code/closed``. The cache file is closed, and the data file if the stack has
    /// opened it: changes that the service does not have yet stay in it for the next start. What
    /// the client keeps in memory, and local files, can still be read.
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

    /// Ends all that uses the stores. Returns when nothing more goes into a data file of the stack.
    func end() async {
        await data?.outbox.close()
        repositories.close()
        closeTransport()
        if data != nil { await repositories.end() }
    }

    private static func openTransport(
        _ given: (any Transport)?
    ) -> (any Transport, close: @Sendable () -> Void) {
        guard let given else {
            let own = PlatformTransport()
            return (own, own.close)
        }
        let lent = LentTransport(given)
        return (lent, lent.close)
    }

    private static func openStore(
        _ location: CacheLocation, _ report: @escaping IncidentHandler
    ) async -> (any CacheStore, path: String?) {
        #if SQLite
        if let path = location.path {
            do throws(StoreError) {
                let store = try await SQLiteCacheStore.open(at: path, byteLimit: location.byteLimit, onIncident: report)
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
                        "expected the trait SQLite for a cache at \(path), but it is off; responses are kept in memory"
                )
            )
        }
        #endif
        // What a disk may hold is too much for the memory that stands in for it.
        let limit = location.path == nil ? location.byteLimit : min(location.byteLimit, 32 << 20)
        return (MemoryCacheStore(byteLimit: Int(limit)), nil)
    }
}
