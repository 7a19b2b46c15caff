public import WharfCore
public import WharfJSON

/// What an answer says of the events of a request.
public enum CollectorAnswer: Hashable, Sendable {
    case accepted
    /// They are sent again in two halves; one alone is rejected.
    case tooLarge
    /// - Parameter events: the places in the request of those that are not taken, the rest is sent
    ///   again. Without any, halves are sent until it is known which.
    case refused(events: Set<Int>)
    /// It says nothing of the events. They, and those that were to follow, get this verdict.
    case failed(Delivery.Verdict)
}

/// An answer, with the request that it is to.
public struct CollectorResponse: Sendable {
    public var head: HTTPResponse
    /// nil where there was none, none that is JSON, or more than 256 KiB of it.
    public var body: JSONValue?
    /// In the order of the request.
    public var events: [TrackedEvent]

    public init(head: HTTPResponse, body: JSONValue?, events: [TrackedEvent]) {
        self.head = head
        self.body = body
        self.events = events
    }

    /// Those that are named by `{"errors": [{"index": 3}, {"id": "…"}]}`.
    var named: Set<Int> {
        guard case .array(let errors)? = body?["errors"]?.content else { return [] }
        return Set(
            errors.flatMap { error -> [Int] in
                if case .number(let number)? = error["index"]?.content { return number.integer().map { [$0] } ?? [] }
                guard case .string(let id)? = error["id"]?.content else { return [] }
                return events.indices.filter { events[$0].id == id }
            })
    }
}
