public import WharfCore

/// Sends by a service that takes requests over HTTP: short messages, a chat, push notifications.
///
/// ```swift
/// let sms = GatewayChannel(
///     "sms", try GatewayTemplate(.post, "https://sms.example.com/send", body: .form("to={{address}}&text={{body}}")),
///     limits: ChannelLimits(title: TextLimit.none, body: TextLimit(160, .septets), rate: RateLimit(1, per: .seconds(1))),
///     transport: transport)
/// ```
///
/// Each part has its idempotency key in the field `Idempotency-Key`, so a gateway that honours it
/// sends nothing twice. Its answers mean what HTTP says
/// (`Delivery.Verdict.init(_:excerpt:theirs:now:)`), with two differences. 401 and 407 say that the
/// gateway does not know this app, not that somebody has to sign in: they reject the message, as
/// waiting for a sign-in would hold up all that the account has in the outbox. And 409 is the
/// gateway's word for a key whose first request it is still working on, so it is asked again.
public struct GatewayChannel: MessageChannel {
    /// What an answer means where it is something else than HTTP says, as for gateways that answer
    /// 200 to everything: its head, and the beginning of its body; nil for that. It is not asked
    /// where the body breaks off before: then nobody knows, and the message is tried again.
    public typealias Classification = @Sendable (MessagePart, HTTPResponse, [UInt8]) -> Delivery.Verdict?

    /// What of an answer may stand in a failure, for people: an error's number, say. Failures lie
    /// in the journal and are printed by tools, and an answer may repeat the message, its address
    /// or a token. 200 characters of it are kept.
    public typealias Excerpt = @Sendable (HTTPResponse, [UInt8]) -> String

    public let name: String
    public let limits: ChannelLimits
    private let template: GatewayTemplate
    private let transport: any Transport
    private let timeout: Duration?
    private let clock: any WallClock
    private let classify: Classification?
    private let excerpt: Excerpt?

    /// Bytes of an answer that are read.
    private static let mostRead = 1 << 16

    /// - Parameters:
    ///   - timeout: for each request; nil for none.
    ///   - clock: for a `Retry-After` that is a date.
    ///   - excerpt: is given the same head and body; nil: a failure names the status and nothing of
    ///     the body.
    public init(
        _ name: String, _ template: GatewayTemplate, limits: ChannelLimits = ChannelLimits(),
        transport: any Transport, timeout: Duration? = .seconds(30), clock: any WallClock = .system,
        classify: Classification? = nil, excerpt: Excerpt? = nil
    ) {
        self.name = name
        self.limits = limits
        self.template = template
        self.transport = transport
        self.timeout = timeout
        self.clock = clock
        self.classify = classify
        self.excerpt = excerpt
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
            // Its own message may have the URL, and so what is secret in its path.
            let told = TransportError(
                error.code, message: "expected an answer to \(name), found \(error.code)", response: error.response)
            return Self.meant(Delivery.Verdict(told, now: clock.now()))
        }
    }

    private func verdict(on response: TransportResponse, to part: MessagePart) async -> Delivery.Verdict {
        let body: [UInt8]
        if let classify {
            do { body = try await Self.beginning(of: response.body) } catch {
                let failure = DeliveryFailure(
                    .noAnswer, message: "expected the whole answer of \(name), found \(error.code) inside its body",
                    status: response.head.status.code)
                return .retry(failure, after: RetryAfter.delay(in: response.head.headerFields, now: clock.now()))
            }
            if let verdict = classify(part, response.head, body) { return verdict }
        } else {
            body = await response.body.beginning(upTo: Self.mostRead)
        }
        let told = excerpt.map { String($0(response.head, body).prefix(200)) } ?? ""
        return Self.meant(Delivery.Verdict(response.head, excerpt: told, now: clock.now()))
    }

    private static func beginning(of body: BodyStream) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks = body.makeAsyncIterator()
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
