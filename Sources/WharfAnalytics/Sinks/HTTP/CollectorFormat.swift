public import WharfJSON

/// How a collector wants its events, and what its answers mean.
///
/// ```swift
/// var format = CollectorFormat()
/// format.event = { ["event_type": .init(.string($0.name)), "insert_id": .init(.string($0.id)), "time": … ] }
/// format.envelope = { ["api_key": "…", "events": .init(.array($0))] }
/// format.answer = { answer in
///     guard answer.head.status == .badRequest, let places = answer.body?["invalid_events"] else { return nil }
///     return .refused(events: …)
/// }
/// ```
public struct CollectorFormat: Sendable {
    /// One event; ``TrackedEvent/json`` where nobody says else. The same for the same event each time, as its key is.
    public var event: @Sendable (TrackedEvent) -> JSONValue = { $0.json }

    /// All of a request; `{"events": […]}` where nobody says else.
    public var envelope: @Sendable ([JSONValue]) -> JSONValue = { events in
        JSONValue(.object([JSONMember("events", JSONValue(.array(events)))]))
    }

    /// What an answer says, where that is another than ``HTTPCollector`` says; nil: the same.
    ///
    /// It is asked of whole answers only. Where there is such a closure and a body breaks off, the events are sent later.
    public var answer: (@Sendable (CollectorResponse) -> CollectorAnswer?)?

    public init() {}

    func body(_ events: [TrackedEvent]) -> [UInt8] { Array(envelope(events.map(event)).description.utf8) }
}
