public import Logging
public import WharfCache
public import WharfCore
public import WharfHTTP
public import WharfOutbox
public import WharfStorage

extension WharfStack {
    /// The parts of a stack and their settings.
    ///
    /// ```swift
    /// var configuration = WharfStack.Configuration(baseURL: "https://api.example.com", account: ann)
    /// configuration.data = .applicationSupport()
    /// configuration.timeout = .seconds(20)
    /// let stack = try await WharfStack.live(configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The URL to which the paths of requests are added, such as `https://api.example.com/v2`.
        public var baseURL: String
        /// Header fields of each request to the origin of the base URL, and to no other.
        public var fields: HTTPFields = [:]
        /// The owner of the data.
        ///
        /// Without an account no response to a request with credentials is kept, and models are
        /// stored without an owner.
        public var account: Account?
        /// The credentials of requests to the origin of the base URL, and their renewal; nil for
        /// none.
        ///
        /// Each attempt sends the current credential, and a failed refresh is not retried: see
        /// ``/WharfHTTP/AuthenticationMiddleware``.
        public var credentials: (any CredentialsProvider)?
        /// The place of kept responses.
        public var cache: CacheLocation
        /// Wraps the store of kept responses; nil for none.
        ///
        /// ```swift
        /// configuration.cacheDecorator = { store in
        ///     EncryptedCacheStore(store, key: { try keychain.cacheKey() }, onIncident: log)
        /// }
        /// ```
        ///
        /// It is called for each opening of the store, and must wrap each in the same way.
        /// Events of evictions have the targets under which the inner store keeps the responses.
        /// Those of an encrypted cache are codes.
        public var cacheDecorator: (@Sendable (any CacheStore) -> any CacheStore)?
        /// The file of models and of changes that wait for the service; nil for none.
        ///
        /// The stack opens the file, delivers the waiting changes, and closes it. It replaces
        /// `entities` and `outbox`.
        public var data: DataLocation?
        /// A store of your own for models. The stack does not close it.
        ///
        /// nil for the store of `outbox`, or without an outbox for a store in memory.
        public var entities: (any EntityStore)?
        /// An outbox of your own, of the same account, over `entities`.
        ///
        /// The stack neither starts nor closes it.
        ///
        /// Without `data` and an outbox, changes are sent at once.
        public var outbox: OutboxEngine?
        /// The transport of requests without a cached answer; nil for a ``PlatformTransport``.
        ///
        /// An example is `AsyncHTTPClientTransport`. It must not follow redirects. The stack does
        /// not close it, so requests in flight run to their end.
        public var transport: (any Transport)?
        /// The retries of requests that may be sent twice.
        public var retry: RetryPolicy
        /// The timeout of each request, up to the last byte; a minute by default.
        public var timeout: Duration = .seconds(60)
        /// The state of the network, such as ``/WharfHTTP/NetworkPathConnectivity``.
        ///
        /// With it, repositories answer at once while there is no network, and the outbox goes on
        /// when the network is back.
        public var connectivity: (any Connectivity)?
        /// The delivery policy of each destination of the outbox over `data`; nil for the defaults.
        ///
        /// The closure gets the name of the destination, and returns its retries, rate and
        /// concurrency.
        public var deliveries: (@Sendable (_ destination: String) -> DeliveryPolicy)?
        /// The log of exchanges (debug) and incidents (warning).
        ///
        /// A line never contains a credential or a body.
        public var logger = Logger(label: "wharf")
        /// The handler of failures that the stack survives; nil writes them to `logger`.
        public var onIncident: IncidentHandler?
        /// The handler of the events of the HTTP cache; nil for none.
        ///
        /// `event.log(to: logger)` writes an event to a log. Import `WharfCache` to name the types.
        public var onCacheEvent: CacheEventHandler?

        /// Creates a configuration with the defaults of an app.
        public init(
            baseURL: String, account: Account? = nil, cache: CacheLocation = .caches(), data: DataLocation? = nil,
            entities: (any EntityStore)? = nil, retry: RetryPolicy = .default
        ) {
            self.baseURL = baseURL
            self.account = account
            self.cache = cache
            self.data = data
            self.entities = entities
            self.retry = retry
        }

        var report: IncidentHandler {
            onIncident ?? { [logger] incident in logger.warning("\(incident.code): \(incident.message)") }
        }

        func check() throws(ReadFailure) {
            if data != nil, entities != nil || outbox != nil {
                throw ReadFailure(
                    .invalidRequest,
                    message:
                        "the configuration has both a data file, which holds models and the outbox, and parts of your "
                        + "own; leave out `data`, or `entities` and `outbox`")
            }
            if let outbox, outbox.account != account {
                throw ReadFailure(
                    .invalidRequest,
                    message:
                        "the outbox belongs to another account than the stack, and would never send the stack's "
                        + "changes; make both with the same account")
            }
        }
    }
}
