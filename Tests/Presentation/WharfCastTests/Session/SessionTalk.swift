import WharfJSON
import WharfPlayback

@testable import WharfCast

extension JSONValue {
    /// A number in its JSON notation.
    static func decimal(_ text: String) -> JSONValue { JSONNumber(text).map { JSONValue(.number($0)) } ?? nil }
}

/// A session that gets a receiver's messages, and records its own.
struct SessionTalk {
    var session = CastSession(at: .zero)
    var now = Duration.zero
    private(set) var actions: [CastSession.Action] = []

    static let app: JSONValue = [
        "appId": "CC1AD845", "sessionId": "s-1", "transportId": "t-1",
        "namespaces": [["name": "urn:x-cast:com.google.cast.media"]],
    ]

    /// A session that is connected to a receiver without a loaded item.
    static func ready() throws -> SessionTalk {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 1, "status": ["applications": [app]]])
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 2, "status": []], .media, from: "t-1")
        talk.forget()
        return talk
    }

    static let film = MediaItem(
        id: "f", url: "http://example.com/f.mp4", contentType: "video/mp4", title: "F", duration: .seconds(100))

    /// A session with a playing item.
    static func playing() throws -> SessionTalk {
        var talk = try ready()
        talk.perform(.load(film, at: .zero, playing: true))
        try talk.status("PLAYING", ["media": ["contentId": "http://example.com/f.mp4"]], answering: 3)
        talk.forget()
        return talk
    }

    mutating func act(_ step: (inout CastSession, Duration) -> [CastSession.Action]) { actions += step(&session, now) }

    mutating func perform(_ command: PlaybackCommand, call: UInt64 = 7) {
        act { $0.perform(command, call: call, at: $1) }
    }

    mutating func receive(
        _ json: JSONValue, _ namespace: Namespace = .receiver, from source: String = "receiver-0"
    ) throws {
        try receive(text: json.description, namespace, from: source)
    }

    mutating func receive(text: String, _ namespace: Namespace, from source: String) throws {
        let bytes = try CastFrames.frame(
            CastMessage(source: source, destination: "*", namespace: namespace.rawValue, payload: .text(text)))
        act { $0.received(bytes, at: $1) }
    }

    mutating func status(_ phase: String, _ more: JSONValue = [:], answering id: Int = 0) throws {
        guard case .object(let members) = more.content else { return }
        let entry = [JSONMember("mediaSessionId", 1), JSONMember("playerState", JSONValue(.string(phase)))] + members
        try receive(
            [
                "type": "MEDIA_STATUS", "requestId": JSONValue(integerLiteral: id),
                "status": [JSONValue(.object(entry))],
            ], .media,
            from: "t-1")
    }

    mutating func pass(_ duration: Duration) {
        now += duration
        act { $0.wake(at: $1) }
    }

    mutating func forget() { actions = [] }

    /// The messages that the session sent, in order.
    var sent: [(message: CastMessage, json: JSONValue)] {
        get throws {
            var frames = CastFrames()
            for case .send(let bytes) in actions { frames.append(bytes) }
            var sent: [(CastMessage, JSONValue)] = []
            while let message = try frames.next() {
                guard case .text(let text) = message.payload else { continue }
                sent.append((message, try JSON.decode(JSONValue.self, from: text)))
            }
            return sent
        }
    }

    var types: [String] { get throws { try sent.map { $0.json["type"]?.text ?? "" } } }

    var end: PlaybackError? {
        for case .end(let error) in actions { return error }
        return nil
    }

    /// The result of the last answered call. The inner value is nil if it succeeded.
    var answer: PlaybackError?? {
        for case .answer(_, let error) in actions.reversed() { return .some(error) }
        return nil
    }

    var states: [PlaybackState] {
        actions.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }
}
