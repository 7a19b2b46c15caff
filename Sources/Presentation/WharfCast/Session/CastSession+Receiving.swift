internal import WharfJSON
internal import WharfPlayback

extension CastSession {
    mutating func receive(_ message: CastMessage, at now: Duration) throws(PlaybackError) -> [Action] {
        guard case .text(let text) = message.payload, let namespace = Namespace(rawValue: message.namespace) else {
            return []
        }
        let (type, json) = try Self.read(text, namespace)
        switch namespace {
        case .heartbeat:
            return type == "PING" ? send(Outgoing.pong, in: .heartbeat, to: message.source) : []
        case .connection:
            guard type == "CLOSE", message.source == platform || message.source == app?.transportID else { return [] }
            return end(PlaybackError(.disconnected, "\(message.source) closed the connection"))
        case .receiver:
            return receiveReceiverStatus(type, json, at: now)
        case .media:
            // The messages of another app would overwrite the state of ours.
            guard message.source == app?.transportID else { return [] }
            return receiveMedia(type, json, at: now)
        }
    }

    private static func read(
        _ text: String, _ namespace: Namespace
    ) throws(PlaybackError) -> (type: String, JSONValue) {
        do throws(JSONError) {
            let json = try JSON.decode(JSONValue.self, from: text)
            if let type = json["type"]?.text { return (type, json) }
        } catch {
            throw PlaybackError(
                .malformed, "a message of the receiver in \(namespace.rawValue) is not JSON; see the cause",
                cause: error)
        }
        throw PlaybackError(
            .malformed, "a message of the receiver in \(namespace.rawValue) is not an object with a type")
    }

    private mutating func receiveReceiverStatus(_ type: String, _ json: JSONValue, at now: Duration) -> [Action] {
        let id = json["requestId"]?.integer(Int.self)
        let request = requests[id]
        switch (type, phase) {
        // Only the answer to this request: a broadcast before it may describe an earlier moment.
        case ("RECEIVER_STATUS", .asking) where request?.purpose == .apps:
            requests.remove(id)
            if let app = CastApp(in: json["status"]) { return join(app, at: now) }
            phase = .launching
            return ask(Outgoing.launch, in: .receiver, for: .launch, within: Self.longPatience, at: now)
        case ("RECEIVER_STATUS", .launching):
            // While the app starts, the status may not contain it yet.
            guard let app = CastApp(in: json["status"]) else { return [] }
            requests.removeLaunch()
            return join(app, at: now)
        case ("RECEIVER_STATUS", .joining(let app)), ("RECEIVER_STATUS", .ready(let app)):
            guard CastApp(in: json["status"]) != app else { return [] }
            return end(PlaybackError(.disconnected, "the media receiver has ended, or another app has replaced it"))
        case ("RECEIVER_STATUS", _), ("LAUNCH_STATUS", _): return []
        default:
            guard let request, request.purpose == .apps || request.purpose == .launch else { return [] }
            return end(Self.refusal(of: request, type, json))
        }
    }

    private mutating func join(_ app: CastApp, at now: Duration) -> [Action] {
        phase = .joining(app)
        return send(Outgoing.connect, in: .connection, to: app.transportID)
            + ask(Outgoing.getStatus, in: .media, to: app.transportID, for: .join, at: now)
    }

    private mutating func receiveMedia(_ type: String, _ json: JSONValue, at now: Duration) -> [Action] {
        let id = json["requestId"]?.integer(Int.self)
        let request = requests[id]
        requests.remove(id)
        guard type == "MEDIA_STATUS" else { return request.map { receiveRefusal(of: $0, type, json, at: now) } ?? [] }
        // Before the caller is answered: it may ask for the state at once.
        media.follow(json["status"])
        switch request?.purpose {
        case .join:
            guard let app else { return [] }
            phase = .ready(app)
            return [.state(media.state), .connected]
        case .command(let call): return [.state(media.state), .answer(call: call, nil)]
        default: return [.state(media.state)]
        }
    }

    private mutating func receiveRefusal(
        of request: CastRequests.Request, _ type: String, _ json: JSONValue, at now: Duration
    ) -> [Action] {
        let error = Self.refusal(of: request, type, json)
        switch request.purpose {
        case .command(let call):
            guard request.type == "LOAD", let app else { return [.answer(call: call, error)] }
            // Only the receiver knows whether the item before plays on.
            return [.answer(call: call, error)]
                + ask(Outgoing.getStatus, in: .media, to: app.transportID, for: .look, at: now)
        case .look: return []
        default: return end(error)
        }
    }

    private static func refusal(of request: CastRequests.Request, _ type: String, _ json: JSONValue) -> PlaybackError {
        let reason = json["reason"]?.text ?? json["detailedErrorCode"]?.integer(Int.self).map { "error \($0)" }
        let message = "the receiver answered \(type) to \(request.type)" + (reason.map { ": \($0)" } ?? "")
        return switch (request.type, type) {
        case ("LOAD", "LOAD_FAILED"), ("LOAD", "ERROR"): PlaybackError(.unplayable, message)
        case ("LOAD", "LOAD_CANCELLED"): PlaybackError(.cancelled, message)
        default: PlaybackError(.refused, message)
        }
    }
}
