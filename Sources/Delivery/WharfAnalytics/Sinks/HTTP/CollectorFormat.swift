public import WharfCore
public import WharfJSON

/// A collector's form of events, its limits, and the meaning of its answers.
///
/// ```swift
/// var format = CollectorFormat()
/// format.event = { ["event_type": .init(.string($0.name)), "insert_id": .init(.string($0.id)), "time": … ] }
/// format.envelope = { events, _ in ["api_key": "…", "events": .init(.array(events))] }
/// format.eventLimit = 32 * 1024
/// format.answer = { answer in
///     guard answer.head.status == .badRequest, let places = answer.body?["invalid_events"] else { return nil }
///     return .refused(events: …)
/// }
/// ```
///
/// ``segment(integrations:)`` and ``postHog(apiKey:anonymousProfiles:)`` are ready.
public struct CollectorFormat: Sendable {
    /// The form of one event; ``TrackedEvent/json`` by default.
    ///
    /// It must give the same result for the same event each time, as the key does.
    public var event: @Sendable (TrackedEvent) -> JSONValue = { $0.json }

    /// The form of a request's body; `{"events": […]}` by default.
    ///
    /// The second parameter is the time of sending.
    public var envelope: @Sendable ([JSONValue], WallTime) -> JSONValue = { events, _ in
        JSONValue(.object([JSONMember("events", JSONValue(.array(events)))]))
    }

    /// The meaning of an answer; nil for that of ``HTTPCollector``.
    ///
    /// It is called for complete answers only. If there is such a closure and a body breaks off,
    /// the events are sent later.
    public var answer: (@Sendable (CollectorResponse) -> CollectorAnswer?)?

    /// The largest event in bytes, in this form; nil without a limit.
    ///
    /// A larger one is refused when it is tracked (``AnalyticsError/Code/tooLarge``).
    public var eventLimit: Int?

    /// The largest body of a request in bytes, before gzip; nil without a limit.
    ///
    /// A larger batch is sent in parts.
    public var requestLimit: Int?

    /// Whether bodies are sent with `Content-Encoding: gzip`.
    public var isCompressed = false

    /// Whether requests have an `Idempotency-Key`.
    ///
    /// A receiver may refuse a known key with another body, so a form that contains the time of
    /// sending should have none.
    public var hasIdempotencyKey = true

    /// Creates the default form.
    public init() {}

    func body(_ events: [TrackedEvent], at now: WallTime) -> [UInt8] {
        Array(envelope(events.map(event), now).description.utf8)
    }
}
