internal import Foundation
public import Logging
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

/// Everything between an app and one service, put together: transport, cache, redirects, retries, client, repositories.
///
/// ```swift
/// let stack = try await WharfStack.live(baseURL: "https://api.example.com")
/// let users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
/// for await snapshot in users.observe(id: 1) {
///     show(snapshot.value, snapshot.kept?.asOf, snapshot.error)
/// }
/// ```
///
/// One stack serves one account. Each part can be taken by itself and put together in another way; nothing but this type
/// knows all of them.
public final class WharfStack: Sendable {
    /// Typed requests without a repository.
    public let client: APIClient
    /// The file that responses are kept in; nil when they are in memory, which is also so when the file could not be opened.
    public let cachePath: String?

    /// Where the models of ``repository(_:_:)`` are kept.
    public let entities: any EntityStore

    let cache: CacheLocation
    let store: any CacheStore
    let closeTransport: @Sendable () -> Void
    let report: IncidentHandler
    let repositories = OpenRepositories()
    private let shared = SharedRepositories()
    private let outbox: OutboxEngine?
    private let connectivity: (any Connectivity)?

    private init(
        client: APIClient, cache: CacheLocation, cachePath: String?, entities: any EntityStore, store: any CacheStore,
        closeTransport: @escaping @Sendable () -> Void, outbox: OutboxEngine?, connectivity: (any Connectivity)?,
        report: @escaping IncidentHandler
    ) {
        self.client = client
        self.cache = cache
        self.cachePath = cachePath
        self.entities = entities
        self.store = store
        self.closeTransport = closeTransport
        self.outbox = outbox
        self.connectivity = connectivity
        self.report = report
    }

    /// A stack over the real network and the real disk.
    ///
    /// A cache that can't be opened does not keep an app from starting: responses are then kept in memory, and the incident
    /// says why.
    ///
    /// - Parameters:
    ///   - baseURL: what the paths of requests are added to: `https://api.example.com/v2`.
    ///   - fields: sent with each request to that origin, and to no other.
    ///   - account: whose data this is. Without one, no response to a request with credentials is kept, and models lie in `entities` as
    ///     nobody's.
    ///   - credentials: what requests to that origin show, and what renews it; nil for none. Each try shows what is current, and
    ///     a failed refresh is not tried again: see ``/WharfHTTP/AuthenticationMiddleware``.
    ///   - cache: where responses are kept.
    ///   - entities: where models are kept, such as a `SQLiteEntityStore`. The stack does not close it. nil for the store of `outbox`, or
    ///     else for one in memory.
    ///   - outbox: where changes of repositories wait until the service has them, one of the same account, over `entities`. The stack
    ///     neither starts nor closes it; nil sends changes at once.
    ///   - transport: sends what no cache answers, such as an `AsyncHTTPClientTransport`, or one with pinned keys; it must follow no
    ///     redirects. nil for a ``PlatformTransport``. The stack does not close one that it was given: what is under way by
    ///     then goes on to its end.
    ///   - retry: for requests that may be sent twice, when nothing kept answers them.
    ///   - timeout: for each request, up to the last byte.
    ///   - connectivity: says whether there is a network, such as ``/WharfHTTP/NetworkPathConnectivity``; with it, repositories answer
    ///     at once while there is none.
    ///   - logger: gets a line for each exchange (debug) and each incident (warning), never a credential or a body.
    ///   - onIncident: what went wrong and was survived; nil writes it to `logger`.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` when `baseURL` is not one, or `outbox` is another account's.
    public static func live(
        baseURL: String, fields: HTTPFields = [:], account: Account? = nil,
        credentials: (any CredentialsProvider)? = nil, cache: CacheLocation = .caches(),
        entities: (any EntityStore)? = nil, outbox: OutboxEngine? = nil, transport: (any Transport)? = nil,
        retry: RetryPolicy = .default,
        timeout: Duration = .seconds(60), connectivity: (any Connectivity)? = nil,
        logger: Logger = Logger(label: "wharf"),
        onIncident: IncidentHandler? = nil
    ) async throws(ReadFailure) -> WharfStack {
        let environment = try APIEnvironment(baseURL, fields: fields)
        if let outbox, outbox.account != account {
            throw ReadFailure(
                .invalidRequest,
                message:
                    "expected an outbox of the stack's account, found one of another, which would never send what it is "
                    + "given; make both with the same account")
        }
        let report = onIncident ?? { incident in logger.warning("\(incident.code): \(incident.message)") }
        let (store, path) = await openStore(cache, report)
        let (base, closeTransport) = openTransport(transport)
        let cached = CachingTransport(base, store: store, onIncident: report)
        var middleware: [any Middleware] = [
            LoggingMiddleware(logger: logger, level: .debug, failureLevel: .debug), RetryMiddleware(policy: retry),
        ]
        // Innermost: the log above never sees a credential, and each try gets the one that is current.
        if let credentials { middleware.append(AuthenticationMiddleware(credentials, for: environment)) }
        let client = APIClient(
            environment: environment, transport: RedirectingTransport(cached), middleware: middleware, account: account,
            timeout: timeout
        )
        return WharfStack(
            client: client, cache: cache, cachePath: path, entities: entities ?? outbox?.store ?? MemoryEntityStore(),
            store: store, closeTransport: closeTransport, outbox: outbox, connectivity: connectivity, report: report)
    }

    /// The repository of the models at a path: `GET <path>` is the list, `GET <path>/<id>` one model.
    ///
    /// Keep it: it holds the last good values. Calls for one path, payload and model give the same
    /// repository while it is held or observed, so two screens share requests and models. The mapping is that of
    /// the first call, and to close the repository ends it for all.
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
    @_disfavoredOverload public func repository<Payload: Decodable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, payload: Payload.Type, mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload) { repository(.http(client, at: path, payload: payload, mapping: mapping)) }
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

    /// A repository whose models are kept in ``entities``, over a source of your own making. Its changes go through the stack's outbox,
    /// where there is one.
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

    /// Ends the stack: requests that are under way on the network fail with ``ReadFailure/Code/cancelled``, as later ones do, and
    /// the cache file is closed. The sequences of its repositories end, and reads through them answer with
    /// ``ReadFailure/Code/closed``. What the client keeps in memory, and local files, can still be read.
    public func close() async {
        repositories.close()
        closeTransport()
        #if SQLite
        guard let store = store as? SQLiteCacheStore else { return }
        do {
            try await store.close()
        } catch {
            report(Incident(.storeFailed, message: error.message, cause: error))
        }
        #endif
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
