public import WharfCore

/// Sends typed requests to one API, and answers with what it knows: value, age, source and error
/// together.
///
/// ```swift
/// let client = APIClient(
///     environment: try APIEnvironment("https://api.example.com/v1"), transport: transport,
///     middleware: [LoggingMiddleware(logger: logger), RetryMiddleware()])
/// let user: User = try await client.fetch(.get("users/1")).value
/// ```
///
/// What is kept is the business of the transport below it: with a `CachingTransport` there the
/// policies of ``ReadPolicy`` mean what they say; without one nothing is ever kept.
public struct APIClient: Sendable {
    public let environment: APIEnvironment
    /// Whose answers these are.
    public let account: Account?
    /// For reads that name no policy.
    public let policy: ReadPolicy
    /// For requests that name no time-out; nil for no limit.
    public let timeout: Duration?
    /// The transport below the client, with its middleware: credentials, retries, the cache.
    ///
    /// It is for parts of an app that make requests of their own for the same service. Such a
    /// request names its own account and time-out, and any status is an answer.
    public let transport: any Transport

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

    /// A request as it goes down: addressed, with everything that the client adds.
    func addressed<Payload>(_ request: Request<Payload>) throws(ReadFailure) -> TransportRequest {
        TransportRequest(
            try environment.head(for: request), body: request.body, account: account,
            timeout: request.timeout ?? timeout, isIdempotent: request.isIdempotent
        )
    }

    /// The head of a request to a path of the environment, with its fields.
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

    /// Sends a request as it is; any status is an answer.
    func exchange(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await transport.send(request)
    }

    /// One try, with its status checked. Its body is still to come.
    ///
    /// - Parameter explaining: of the request's decoding.
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
    /// An answer other than 2xx, with as much of its body as explains it. The rest is let go.
    fileprivate static func status(
        _ response: TransportResponse, to request: HTTPRequest, _ explaining: StatusExplanation?
    ) async -> ReadFailure {
        let explaining = explaining ?? (ProblemDetails.isIn(response.head) ? ProblemDetails.explanation : nil)
        let limit = explaining == nil ? excerptLimit : explanationLimit
        var body: [UInt8] = []
        var cause: TransportError?
        var chunks = response.body.makeAsyncIterator()
        do {
            while body.count < limit, let chunk = try await chunks.next(isolation: #isolation) {
                body += chunk.prefix(limit - body.count)
            }
        } catch {
            // The status is the news; that its explanation broke off stays visible as the cause.
            cause = error
        }
        if let cause, cause.code == .cancelled { return ReadFailure(cause) }
        let explanation = cause == nil ? explaining?(body, response.head) : nil
        return ReadFailure(
            .status,
            message: "expected a 2xx answer to \(request.redacted()), found \(response.head.status)"
                + (explanation.map { ": \($0)" } ?? ""),
            cause: cause ?? explanation, response: response.head, excerpt: Array(body.prefix(excerptLimit))
        )
    }

    /// The most that is read of what explains an error status.
    private static let explanationLimit = 1 << 20
}
