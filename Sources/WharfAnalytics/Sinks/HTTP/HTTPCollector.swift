public import WharfCore
internal import WharfJSON

/// Sends events as JSON to a service that collects them.
///
/// | answer | what becomes of the events |
/// |---|---|
/// | 2xx | delivered |
/// | 413 | sent again in two halves; one alone is rejected |
/// | 400, 422 | those that the answer names are rejected, the rest is sent again; where it names none, halves are, to find out |
/// | 401, 407, 429, 503 and every other | later, not before `Retry-After` |
///
/// A collector that does not know who asks says nothing of the account: its other deliveries go on.
///
/// A ``CollectorFormat`` can say else. Of a 400 or 422, events are named by `{"errors": [{"index": 3}, {"id": "…"}]}`.
///
/// Every request has an `Idempotency-Key` (see ``Swift/Collection/key``) and every event its id.
public struct HTTPCollector: AnalyticsSink {
    public let name: String
    public let limits: BatchLimits
    private let endpoint: HTTPRequest
    private let transport: any Transport
    private let format: CollectorFormat
    private let timeout: Duration?
    private let clock: any WallClock

    /// In bytes.
    private static let longestAnswer = 256 * 1024

    /// - Parameter endpoint: method, address and fields of each request, such as a key.
    public init(
        name: String = "collector", endpoint: HTTPRequest, transport: any Transport,
        format: CollectorFormat = CollectorFormat(),
        limits: BatchLimits = BatchLimits(entries: 50, wait: .seconds(30)), timeout: Duration? = .seconds(60),
        clock: any WallClock = .system
    ) {
        self.name = name
        self.endpoint = endpoint
        self.transport = transport
        self.format = format
        self.limits = limits
        self.timeout = timeout
        self.clock = clock
    }

    public func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] { await send(batch) { _ in true } }

    public func send(
        _ batch: [KeyedEvent], while isWanted: @Sendable (TrackedEvent) -> Bool
    ) async -> [Delivery.Verdict] {
        var split = BatchSplit(batch.count)
        while let part = split.next() {
            guard part.allSatisfy({ isWanted(batch[$0].event) }) else {
                split.take(.failed(.retry(withdrawn)), withdrawn, for: part)
                break
            }
            let (answer, failure) = await post(part.map { batch[$0] })
            split.take(answer, failure, for: part)
        }
        return split.result()
    }

    /// - Returns: what was said, and why those events are rejected that are not taken.
    private func post(_ part: [KeyedEvent]) async -> (CollectorAnswer, DeliveryFailure) {
        let events = part.map(\.event)
        var head = endpoint
        head.headerFields[.contentType] = "application/json"
        if let field = part.key.field { head.headerFields[field.name] = field.value }
        let request = TransportRequest(head, body: .bytes(format.body(events)), timeout: timeout, isIdempotent: true)
        do throws(TransportError) {
            let response = try await transport.send(request)
            let (body, text, cut) = await read(response.body)
            if let cut, format.answer != nil {
                let failure = brokenOff(response.head, cut)
                return (.failed(.retry(failure, after: pause(response.head))), failure)
            }
            let answer = CollectorResponse(head: response.head, body: body, events: events)
            let status = response.head.status.code
            let failure = DeliveryFailure(
                .rejected, message: "expected \(receiver) to take it, found status \(status): \(text)", status: status)
            return (format.answer?(answer) ?? usual(answer), failure)
        } catch {
            return (.failed(verdict(error)), DeliveryFailure(.noAnswer, message: error.message))
        }
    }

    private func usual(_ answer: CollectorResponse) -> CollectorAnswer {
        switch answer.head.status.code {
        case 200..<300: return .accepted
        case 413: return .tooLarge
        case 400, 422: return .refused(events: answer.named)
        case let status:
            let code: DeliveryFailure.Code = status == 429 ? .rateLimited : .unavailable
            let failure = DeliveryFailure(
                code, message: "expected \(receiver) to take it, found status \(answer.head.status)", status: status)
            let pause = QuotaFields.pause(in: answer.head.headerFields, now: clock.now())
            return .failed(status == 429 ? .rateLimited(failure, after: pause) : .retry(failure, after: pause))
        }
    }

    private func verdict(_ error: TransportError) -> Delivery.Verdict {
        switch Delivery.Verdict(error, now: clock.now()) {
        // Its reason is the endpoint, and not the events.
        case .rejected(let failure): .retry(failure)
        // The account's other deliveries need not wait for a collector's credential.
        case .needsAuthentication(let failure): .retry(failure)
        case let other: other
        }
    }

    private func pause(_ head: HTTPResponse) -> Duration? { RetryAfter.delay(in: head.headerFields, now: clock.now()) }

    /// To its end whatever the status, so that the connection can be used again.
    ///
    /// - Returns: `cut` where it broke off.
    private func read(_ body: BodyStream) async -> (JSONValue?, text: String, cut: TransportError?) {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await body.collect(upTo: Self.longestAnswer)
        } catch {
            // One that is too long is so the next time, too.
            return (nil, "its reason can't be read: \(error)", error.code == .tooLarge ? nil : error)
        }
        guard !bytes.isEmpty else { return (nil, "without a reason", nil) }
        do throws(JSONError) {
            let value = try JSON.decode(JSONValue.self, from: bytes)
            return (value, String("\(value)".prefix(1_000)), nil)
        } catch {
            return (nil, "its reason can't be read: \(error)", nil)
        }
    }

    private func brokenOff(_ head: HTTPResponse, _ error: TransportError) -> DeliveryFailure {
        DeliveryFailure(
            .noAnswer, message: "expected the whole answer of \(receiver), found that it broke off: \(error.message)",
            status: head.status.code)
    }

    private var withdrawn: DeliveryFailure {
        DeliveryFailure(
            .withoutConsent,
            message:
                "expected a consent to all that was still to be sent to \(receiver), found that some was withdrawn; "
                + "what there is consent to is sent later")
    }

    private var receiver: String { "\(name) at \(endpoint.redactedURL())" }
}
