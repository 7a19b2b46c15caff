internal import WharfJSON
internal import WharfPlayback

/// The messages of the screen protocol. Times are whole milliseconds.
enum ScreenMessage {
    /// A request for a session. It has no fields yet, and unknown fields are ignored.
    struct Opening: Hashable {}

    /// The answer to a request for a session.
    struct Session: Hashable {
        /// The id of the session, which becomes part of paths. See ``isWellFormed``.
        var session: String

        /// Whether the id is a safe path segment: 1 to 128 letters, digits, `-` and `_`.
        var isWellFormed: Bool {
            (1...128).contains(session.utf8.count)
                && session.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    struct Command: Hashable {
        var sequence: Int
        var command: PlaybackCommand
    }

    struct State: Hashable {
        /// The sequence number of the last command that was accepted before this state.
        var sequence: Int
        var state: PlaybackState
    }

    struct Failure: Hashable {
        var code: String
        var message: String

        init(code: String, message: String) { (self.code, self.message) = (code, message) }

        init(_ error: PlaybackError) { self.init(code: error.code.name, message: error.message) }

        /// The error of a command that was not carried out.
        var error: PlaybackError { PlaybackError(.init(code), message) }

        /// The loss of a session: `refused` after a takeover, otherwise `disconnected`.
        var loss: PlaybackError { PlaybackError(code == "takenOver" ? .refused : .disconnected, message) }
    }
}

extension ScreenMessage.Opening: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        while json.next(&fields) {}
        return Self()
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.endObject()
    }
}

extension ScreenMessage.Session: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var session: String?
        repeat { json.read("session", 0, into: &session, &fields) } while json.next(&fields)
        guard let session else { return json.incomplete(fields, required: [(0, "session")]) }
        return Self(session: session)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("session", session)
        json.endObject()
    }
}

extension ScreenMessage.Failure: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var code: String?, message: String?
        repeat {
            json.read("code", 0, into: &code, &fields)
            json.read("message", 1, into: &message, &fields)
        } while json.next(&fields)
        guard let code, let message else { return json.incomplete(fields, required: [(0, "code"), (1, "message")]) }
        return Self(code: code, message: message)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("code", code)
        json.field("message", message)
        json.endObject()
    }
}

extension ScreenMessage.Command: JSONDecodable, JSONEncodable {
    private enum Name: String, CaseIterable, JSONDecodable { case load, play, pause, seek, progress, stop }

    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var sequence: Int?, name: Name?, item: MessageItem?, position: Int64?, playing: Bool?
        repeat {
            json.read("sequence", 0, into: &sequence, &fields)
            json.read("command", 1, into: &name, &fields)
            json.read("item", 2, into: &item, &fields)
            json.read("position", 3, into: &position, &fields)
            json.read("playing", 4, into: &playing, &fields)
        } while json.next(&fields)
        guard let sequence, let name else {
            return json.incomplete(fields, required: [(0, "sequence"), (1, "command")])
        }
        let at = Duration.milliseconds(position ?? 0)
        switch name {
        case .load:
            guard let item else { return json.incomplete(fields, required: [(2, "item")]) }
            return Self(sequence: sequence, command: .load(item.item, at: at, playing: playing ?? false))
        case .seek, .progress:
            if position == nil { return json.incomplete(fields, required: [(3, "position")]) }
            return Self(sequence: sequence, command: name == .seek ? .seek(to: at) : .progress(at))
        case .play: return Self(sequence: sequence, command: .play)
        case .pause: return Self(sequence: sequence, command: .pause)
        case .stop: return Self(sequence: sequence, command: .stop)
        }
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("sequence", sequence)
        switch command {
        case .load(let item, let position, let isPlaying):
            json.field("command", "load")
            json.field("item", MessageItem(item: item))
            json.field("position", position.milliseconds)
            json.field("playing", isPlaying)
        case .seek(let position):
            json.field("command", "seek")
            json.field("position", position.milliseconds)
        case .progress(let position):
            json.field("command", "progress")
            json.field("position", position.milliseconds)
        case .play: json.field("command", "play")
        case .pause: json.field("command", "pause")
        case .stop: json.field("command", "stop")
        }
        json.endObject()
    }
}

extension ScreenMessage.State: JSONDecodable, JSONEncodable {
    private enum Phase: String, CaseIterable, JSONDecodable, JSONEncodable {
        case idle, loading, playing, paused, ended

        init(_ phase: PlaybackState.Phase) {
            self =
                switch phase {
                case .idle: .idle
                case .loading: .loading
                case .playing: .playing
                case .paused: .paused
                case .ended: .ended
                }
        }

        var phase: PlaybackState.Phase {
            switch self {
            case .idle: .idle
            case .loading: .loading
            case .playing: .playing
            case .paused: .paused
            case .ended: .ended
            }
        }
    }

    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var sequence: Int?, phase: Phase?, item: MessageItem?, position: Int64?
        repeat {
            json.read("sequence", 0, into: &sequence, &fields)
            json.read("phase", 1, into: &phase, &fields)
            json.read("item", 2, into: &item, &fields)
            json.read("position", 3, into: &position, &fields)
        } while json.next(&fields)
        guard let sequence, let phase else {
            return json.incomplete(fields, required: [(0, "sequence"), (1, "phase")])
        }
        let state = PlaybackState(phase.phase, item: item?.item, position: .milliseconds(position ?? 0))
        return Self(sequence: sequence, state: state)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("sequence", sequence)
        json.field("phase", Phase(state.phase))
        json.fieldIfPresent("item", state.item.map(MessageItem.init))
        json.field("position", state.position.milliseconds)
        json.endObject()
    }
}
