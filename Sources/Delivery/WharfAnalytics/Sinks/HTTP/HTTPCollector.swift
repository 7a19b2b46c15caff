internal import WharfContentCoding
public import WharfCore
internal import WharfJSON

/// A sink that sends events as JSON to a collecting service.
///
/// | answer | result for the events |
/// |---|---|
/// | 2xx | delivered |
/// | 413 | sent again in two halves; a single event is rejected |
/// | 400, 422 | named events are rejected, the rest is sent again |
/// | 400, 422 without names | halves are sent again, to find the refused events |
/// | 511 | sent later, as without a network: a proxy has answered (RFC 6585 §6) |
/// | 401, 407, 429, 503 and every other | sent later, not before `Retry-After` |
///
/// A body above `requestLimit` is split like a 413, without a request. A 401 of a collector does
/// not concern the account's sign-in, so the account's other deliveries continue.
///
/// A ``CollectorFormat`` can change these meanings. A 400 or 422 names events by
/// `{"errors": [{"index": 3}, {"id": "…"}]}`.
///
/// Each request has an `Idempotency-Key` (see ``Swift/Collection/key``), unless the form excludes
/// it. Each event has its id.
public struct HTTPCollector: AnalyticsSink {
    public let name: String
    public let limits: BatchLimits
    let endpoint: HTTPRequest
    let transport: any Transport
    let format: CollectorFormat
    let timeout: Duration?
    let clock: any WallClock

    /// The settings of a collector: batches, timeout and clock.
    public struct Configuration: Sendable {
        /// The size of a batch, and the wait for more events.
        ///
        /// The default is 50 events and 30 seconds.
        public var limits: BatchLimits
        /// The timeout of each request; nil for none.
        public var timeout: Duration?
        /// The clock of the time of sending, and for a `Retry-After` that is a date.
        public var clock: any WallClock

        /// Creates a configuration.
        public init(
            limits: BatchLimits = BatchLimits(entries: 50, wait: .seconds(30)), timeout: Duration? = .seconds(60),
            clock: any WallClock = .system
        ) {
            self.limits = limits
            self.timeout = timeout
            self.clock = clock
        }
    }

    /// Creates a sink.
    ///
    /// - Parameter endpoint: method, address and fields of each request, such as a key.
    public init(
        name: String = "collector", endpoint: HTTPRequest, transport: any Transport,
        format: CollectorFormat = CollectorFormat(), configuration: Configuration = Configuration()
    ) {
        self.name = name
        self.endpoint = endpoint
        self.transport = transport
        self.format = format
        limits = configuration.limits
        timeout = configuration.timeout
        clock = configuration.clock
    }

    public func size(of event: TrackedEvent) -> EventSize? {
        format.eventLimit.map { limit in
            EventSize(bytes: format.event(event).description.utf8.count, limit: limit)
        }
    }

    public func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] { await send(batch) { _ in true } }

    public func send(
        _ batch: [KeyedEvent], while isWanted: @Sendable (TrackedEvent) -> Bool
    ) async -> [Delivery.Verdict] {
        var split = BatchSplit(batch.count)
        while let part = split.next() {
            guard part.allSatisfy({ isWanted(batch[$0].event) }) else {
                // The part is not sent without these events: its idempotency key stands for all of
                // them. The next attempt makes another part.
                split.take(.failed(.retry(withdrawn)), withdrawn, for: part)
                break
            }
            let (answer, failure) = await post(part.map { batch[$0] })
            split.take(answer, failure, for: part)
        }
        return split.result()
    }

    /// - Returns: the answer, and the failure of events that are not taken.
    private func post(_ part: [KeyedEvent]) async -> (CollectorAnswer, DeliveryFailure) {
        let events = part.map(\.event)
        let body = format.body(events, at: clock.now())
        if let limit = format.requestLimit, body.count > limit {
            return (.tooLarge, .tooLarge(body.count, limit, receiver))
        }
        let request = request(body, key: part.key)
        do throws(TransportError) {
            let response = try await transport.send(request)
            let (body, text, cut) = await read(response.body)
            // Only a format's own reading of the answer needs the whole body. The status is enough
            // for the usual one.
            if let cut, format.answer != nil {
                let failure = brokenOff(response.head, cut)
                return (.failed(.retry(failure, after: pause(response.head))), failure)
            }
            let answer = CollectorResponse(head: response.head, body: body, events: events)
            let status = response.head.status.code
            let failure = DeliveryFailure(
                .rejected, message: "\(receiver) did not take the events: status \(status), \(text)", status: status)
            return (format.answer?(answer) ?? usual(answer), failure)
        } catch {
            return (.failed(verdict(error)), DeliveryFailure(.noAnswer, message: error.message))
        }
    }

    private func request(_ body: [UInt8], key: IdempotencyKey) -> TransportRequest {
        var head = endpoint
        head.headerFields[.contentType] = "application/json"
        if format.hasIdempotencyKey, let field = key.field { head.headerFields[field.name] = field.value }
        var body = body
        // A small body can grow by its gzip header.
        if format.isCompressed, let encoded = Gzip.encode(body), encoded.count < body.count {
            head.headerFields[.contentEncoding] = "gzip"
            body = encoded
        }
        return TransportRequest(head, body: .bytes(body), timeout: timeout, isIdempotent: true)
    }

    private var withdrawn: DeliveryFailure {
        DeliveryFailure(
            .withoutConsent,
            message:
                "the consent to some of the events for \(receiver) was withdrawn before they were sent; the other "
                + "events are sent later")
    }

    var receiver: String { "\(name) at \(endpoint.redactedURL())" }
}
