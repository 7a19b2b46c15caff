public import WharfCore
public import WharfJSON

/// The meaning of an answer for the events of a request.
public enum CollectorAnswer: Hashable, Sendable {
    /// The receiver took all events.
    case accepted
    /// The events are sent again in two halves; a single event is rejected.
    case tooLarge
    /// The receiver refused some events.
    ///
    /// - Parameter events: the indices of the refused events in the request; the rest is sent
    ///   again. If it is empty, halves are sent to find them.
    case refused(events: Set<Int>)
    /// The answer says nothing about the events. They and the unsent rest get this verdict.
    case failed(Delivery.Verdict)
}

/// An answer with its request.
public struct CollectorResponse: Sendable {
    /// The status and fields of the answer.
    public var head: HTTPResponse
    /// The JSON body; nil if there is none, it is not JSON, or it has more than 256 KiB.
    public var body: JSONValue?
    /// The events in the order of the request.
    public var events: [TrackedEvent]

    /// Creates a response.
    public init(head: HTTPResponse, body: JSONValue?, events: [TrackedEvent]) {
        self.head = head
        self.body = body
        self.events = events
    }

    /// The indices of events named by `{"errors": [{"index": 3}, {"id": "…"}]}`.
    var named: Set<Int> {
        guard case .array(let errors)? = body?["errors"]?.content else { return [] }
        return Set(
            errors.flatMap { error -> [Int] in
                // An index counts within the request, whose events are `events`, and not within the
                // batch.
                if case .number(let number)? = error["index"]?.content { return number.integer().map { [$0] } ?? [] }
                guard case .string(let id)? = error["id"]?.content else { return [] }
                return events.indices.filter { events[$0].id == id }
            })
    }
}
