/// One event of a stream of Server-Sent Events (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// What the service calls it; `message` if it says nothing.
    public var type: String
    public var data: String
    /// The last id that the stream had by then; empty for none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
