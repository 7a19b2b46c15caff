/// An event of a stream of Server-Sent Events (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event; `message` by default.
    public var type: String
    /// The lines of the event, joined by line feeds.
    public var data: String
    /// The last id of the stream up to this event; empty for none.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
