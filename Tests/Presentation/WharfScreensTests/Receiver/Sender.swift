import Testing
import WharfCore
import WharfScreens

/// Sends single requests to a receiver, as in the article.
struct Sender {
    struct Answer: Sendable {
        var status: Int
        var fields: HTTPFields
        var body: String
    }

    static let json = "application/json"

    let receiver: ScreenReceiver

    func request(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, type: String? = json,
        fields: HTTPFields = [:]
    ) -> TransportRequest {
        var fields = fields
        if method == .post { fields[.contentType] = type }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "192.0.2.7", path: path, headerFields: fields)
        return TransportRequest(head, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, type: String? = json
    ) async throws(TransportError) -> Answer {
        let response = try await receiver.send(request(method, path, body, type: type))
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        return Answer(status: response.head.status.code, fields: response.head.headerFields, body: text)
    }

    /// - Returns: the path of the session.
    func open() async throws -> String {
        let answer = try await send(.post, "/session", "{}")
        try #require(answer.status == 201)
        return "/session/" + answer.body.dropFirst(#"{"session":""#.count).dropLast(2)
    }

    func command(_ session: String, _ sequence: Int, _ name: String = "stop") async throws(TransportError) -> Answer {
        try await send(.post, session + "/commands", #"{"sequence":\#(sequence),"command":"\#(name)"}"#)
    }

    func events(of session: String, lastEventID: String? = nil) async throws -> EventReader {
        var fields: HTTPFields = [:]
        if let lastEventID { fields[try #require(.init("Last-Event-ID"))] = lastEventID }
        let response = try await receiver.send(request(.get, session + "/events", fields: fields))
        try #require(response.head.status == .ok)
        #expect(response.head.headerFields[.contentType] == "text/event-stream")
        return EventReader(body: response.body)
    }
}

struct EventReader {
    let body: BodyStream

    /// The next chunk, or nil at the end.
    func next() async throws -> String? {
        var chunks = body.makeAsyncIterator()
        return try await chunks.next(isolation: nil).map { String(decoding: $0, as: UTF8.self) }
    }

    func rest() async throws -> String {
        var text = ""
        while let chunk = try await next() { text += chunk }
        return text
    }
}

/// Returns 0, 1, 2, …
struct CountingGenerator: RandomNumberGenerator, Sendable {
    private var last = UInt64.max

    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
