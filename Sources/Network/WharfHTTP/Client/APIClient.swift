public import WharfCore

/// A client that sends typed requests to one API.
///
/// Each answer has its value, age, source and error together.
///
/// ```swift
/// let client = APIClient(
///     environment: try APIEnvironment("https://api.example.com/v1"), transport: transport,
///     middleware: [LoggingMiddleware(logger: logger), RetryMiddleware()])
/// let user: User = try await client.fetch(.get("users/1")).value
/// ```
///
/// The client stores nothing itself. Caching is done by the transport below it: with a
/// `CachingTransport` there, each ``ReadPolicy`` has its described effect; without one, no response
/// is ever stored.
public struct APIClient: Sendable {
    /// The base URL, and the fields that go with every request.
    public let environment: APIEnvironment
    /// The account that requests are sent for; nil for none.
    public let account: Account?
    /// The policy of reads that name none.
    public let policy: ReadPolicy
    /// The timeout of requests that name none; nil for no limit.
    public let timeout: Duration?
    /// The transport below the client, with its middleware and cache.
    ///
    /// Use it for other parts of an app that talk to the same service. Their requests name their
    /// own account and timeout, and a response with any status is returned.
    public let transport: any Transport

    /// Creates a client.
    ///
    /// - Parameter middleware: the first one sees a request first and its answer last.
    public init(
        environment: APIEnvironment, transport: any Transport, middleware: [any Middleware] = [],
        account: Account? = nil, timeout: Duration? = .seconds(60), policy: ReadPolicy = .standard
    ) {
        self.environment = environment
        self.transport = transport.wrapped(in: middleware)
        self.account = account
        self.timeout = timeout
        self.policy = policy
    }

    /// Returns the request to send: addressed, with the client's account and timeout.
    func addressed<Payload>(_ request: Request<Payload>) throws(ReadFailure) -> TransportRequest {
        TransportRequest(
            try environment.head(for: request), body: request.body, account: account,
            timeout: request.timeout ?? timeout, isIdempotent: request.isIdempotent
        )
    }

    /// Returns the head of a request to a path of the environment, with its fields.
    ///
    /// ```swift
    /// let endpoint = try client.requestHead(.post, at: "events")
    /// let collector = HTTPCollector(endpoint: endpoint, transport: client.transport)
    /// ```
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a path that can't be addressed, and for an
    ///   environment without a base URL.
    public func requestHead(
        _ method: HTTPRequest.Method, at path: RequestPath
    ) throws(ReadFailure) -> HTTPRequest {
        try environment.head(for: Request<Void>(method, .path(path), decoding: .ignored))
    }

    /// Sends a request as it is. An error status is returned, not thrown.
    func exchange(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await transport.send(request)
    }

    /// Makes one attempt and checks its status. The body is still unread.
    ///
    /// - Parameter explaining: reads the error body; taken from the request's decoding.
    func send(
        _ request: TransportRequest, mode: CacheMode, explaining: StatusExplanation? = nil
    ) async throws(ReadFailure) -> TransportResponse {
        var request = request
        request.cache = mode
        let response: TransportResponse
        do {
            response = try await exchange(request)
        } catch {
            throw ReadFailure(error)
        }
        guard response.head.status.kind == .successful else {
            throw await .status(response, to: request.head, explaining)
        }
        return response
    }
}

extension ReadFailure {
    /// Returns the failure for a non-2xx answer, with the part of its body that explains it. The
    /// rest of the body is dropped.
    fileprivate static func status(
        _ response: TransportResponse, to request: HTTPRequest, _ explaining: StatusExplanation?
    ) async -> ReadFailure {
        // A document of RFC 9457 explains any request, so it needs no explanation of the request's
        // own.
        let explaining = explaining ?? (ProblemDetails.isIn(response.head) ? ProblemDetails.explanation : nil)
        let limit = explaining == nil ? excerptLimit : explanationLimit
        var body: [UInt8] = []
        var cause: TransportError?
        var chunks = response.body.makeAsyncIterator()
        do {
            // Read in pieces up to the limit: an error body may be endless.
            while body.count < limit, let chunk = try await chunks.next(isolation: #isolation) {
                body += chunk.prefix(limit - body.count)
            }
        } catch {
            // The status is the failure to report. The body's own error becomes its cause.
            cause = error
        }
        if let cause, cause.code == .cancelled { return ReadFailure(cause) }
        let explanation = cause == nil ? explaining?(body, response.head) : nil
        return ReadFailure(
            .status,
            message: "\(request.redacted()) failed with status \(response.head.status)"
                + (explanation.map { ": \($0)" } ?? ""),
            cause: cause ?? explanation, response: response.head, excerpt: Array(body.prefix(excerptLimit))
        )
    }

    /// The most bytes that are read of a body that explains an error status.
    private static let explanationLimit = 1 << 20
}
