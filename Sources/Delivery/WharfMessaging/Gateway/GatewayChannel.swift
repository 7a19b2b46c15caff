public import WharfCore

/// A channel that sends by an HTTP API, such as SMS, a chat or push notifications.
///
/// ```swift
/// let sms = GatewayChannel(
///     "sms", try GatewayTemplate(.post, "https://sms.example.com/send", body: .form("to={{address}}&text={{body}}")),
///     limits: ChannelLimits(title: TextLimit.none, body: TextLimit(160, .septets), rate: RateLimit(1, per: .seconds(1))),
///     transport: transport)
/// ```
///
/// Each request carries the part's idempotency key in the field `Idempotency-Key`. A gateway that
/// supports it sends nothing twice.
///
/// The status of an answer is interpreted as in HTTP
/// (`Delivery.Verdict.init(_:excerpt:theirs:now:)`), with two exceptions:
/// - 401 and 407 reject the message. The gateway does not accept the app's credentials, and no
///   sign-in of the user would change that. The verdict "needs authentication" would hold all
///   entries of the account in the outbox.
/// - 412 rejects the message, since a message has no versions to merge.
///
/// As in HTTP, 409 is retried: the gateway still processes a request with the same key.
public struct GatewayChannel: MessageChannel {
    /// Returns the verdict for an answer; nil for the verdict by its status.
    ///
    /// Use it for a gateway that answers 200 to everything. It gets the part, the head of the
    /// answer, and the beginning of its body. It is not called if the connection breaks inside the
    /// body: the outcome is unknown then, and the message is tried again.
    public typealias Classification = @Sendable (MessagePart, HTTPResponse, [UInt8]) -> Delivery.Verdict?

    /// Returns the text of an answer for use in a failure, such as an error number.
    ///
    /// Failures are stored in the journal and printed by tools. An answer may repeat the message,
    /// its address or a token, so leave these out. At most 200 characters are kept.
    public typealias Excerpt = @Sendable (HTTPResponse, [UInt8]) -> String

    public let name: String
    public let limits: ChannelLimits
    private let template: GatewayTemplate
    private let transport: any Transport
    private let timeout: Duration?
    private let clock: any WallClock
    private let classify: Classification?
    private let excerpt: Excerpt?

    /// The number of bytes of an answer that are read.
    private static let mostRead = 1 << 16

    /// The settings of a channel: timeout, clock and the interpretation of answers.
    public struct Configuration: Sendable {
        /// The timeout of each request; nil for none.
        public var timeout: Duration?
        /// The clock for a `Retry-After` that is a date.
        public var clock: any WallClock
        /// Interprets an answer; nil for the verdict by its status.
        public var classify: Classification?
        /// Returns the text of an answer; it gets the same head and body as ``classify``.
        ///
        /// If it is nil, a failure names the status and contains nothing of the body.
        public var excerpt: Excerpt?

        /// Creates a configuration.
        public init(
            timeout: Duration? = .seconds(30), clock: any WallClock = .system, classify: Classification? = nil,
            excerpt: Excerpt? = nil
        ) {
            self.timeout = timeout
            self.clock = clock
            self.classify = classify
            self.excerpt = excerpt
        }
    }

    /// Creates a channel.
    public init(
        _ name: String, _ template: GatewayTemplate, limits: ChannelLimits = ChannelLimits(),
        transport: any Transport, configuration: Configuration = Configuration()
    ) {
        self.name = name
        self.limits = limits
        self.template = template
        self.transport = transport
        timeout = configuration.timeout
        clock = configuration.clock
        classify = configuration.classify
        excerpt = configuration.excerpt
    }

    public func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        let request: TransportRequest
        do { request = try template.request(for: part, timeout: timeout) } catch {
            return .rejected(DeliveryFailure(.rejected, message: error.message))
        }
        do {
            let response = try await transport.send(request)
            return await verdict(on: response, to: part)
        } catch {
            // The error's own message may contain the URL, whose path may contain a token.
            let shown = TransportError(
                error.code, message: "\(name) did not answer the request: \(error.code)", response: error.response)
            return Self.meant(Delivery.Verdict(shown, now: clock.now()))
        }
    }

    private func verdict(on response: TransportResponse, to part: MessagePart) async -> Delivery.Verdict {
        let body: [UInt8]
        // Only the body tells the outcome here, so half a body is no outcome. Without `classify`
        // the status tells it, and the body is an excerpt at most.
        if let classify {
            do { body = try await Self.beginning(of: response.body) } catch {
                let failure = DeliveryFailure(
                    .noAnswer, message: "the answer of \(name) broke off: \(error.code); the message is sent again",
                    status: response.head.status.code)
                return .retry(failure, after: RetryAfter.delay(in: response.head.headerFields, now: clock.now()))
            }
            if let verdict = classify(part, response.head, body) { return verdict }
        } else {
            body = await response.body.beginning(upTo: Self.mostRead)
        }
        let text = excerpt.map { String($0(response.head, body).prefix(200)) } ?? ""
        return Self.meant(Delivery.Verdict(response.head, excerpt: text, now: clock.now()))
    }

    private static func beginning(of body: BodyStream) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks = body.makeAsyncIterator()
        // Bounded, since a gateway decides the length of its answer.
        while bytes.count < mostRead, let chunk = try await chunks.next(isolation: #isolation) {
            bytes += chunk.prefix(mostRead - bytes.count)
        }
        return bytes
    }

    private static func meant(_ verdict: Delivery.Verdict) -> Delivery.Verdict {
        switch verdict {
        case .needsAuthentication(let failure): .rejected(failure)
        case .conflict(let failure, _): .rejected(failure)
        case .delivered, .retry, .rateLimited, .offline, .rejected: verdict
        }
    }
}
