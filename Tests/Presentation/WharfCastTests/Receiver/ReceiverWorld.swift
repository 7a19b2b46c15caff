import WharfJSON

@testable import WharfCast

/// A receiver without its network.
///
/// It follows developers.google.com/cast/docs/media/messages and Chromium's cast channel. The input
/// is a message with the number of its connection, and the output is the answers.
struct ReceiverWorld {
    struct ReceivedMessage: Sendable {
        let connection: Int
        let message: CastMessage
        let json: JSONValue
        var type: String { json["type"]?.text ?? "" }
    }

    struct SentMessage {
        let connection: Int
        let message: CastMessage
    }

    /// A sender on a connection, with the destination that it is connected to.
    private struct Route: Hashable {
        let connection: Int
        let sender: String
        let destination: String
    }

    var player = VirtualPlayer()
    /// The answer to `LAUNCH` in place of launching.
    var launchError: String?
    private(set) var received: [ReceivedMessage] = []
    private(set) var runs: (app: String, session: String, transport: String)?
    private var routes: Set<Route> = []
    private var launches = 0

    /// Records a message without acting on it.
    @discardableResult
    mutating func note(_ message: CastMessage, from connection: Int) throws -> ReceivedMessage? {
        guard case .text(let text) = message.payload else { return nil }
        let noted = ReceivedMessage(
            connection: connection, message: message, json: try JSON.decode(JSONValue.self, from: text))
        received.append(noted)
        return noted
    }

    mutating func receive(_ message: CastMessage, from connection: Int, at now: Duration) throws -> [SentMessage] {
        guard let received = try note(message, from: connection) else { return [] }
        let route = Route(connection: connection, sender: message.source, destination: message.destination)
        guard let namespace = Namespace(rawValue: message.namespace) else { return [] }
        if namespace == .connection {
            if received.type == "CONNECT", [platform, runs?.transport].contains(message.destination) {
                routes.insert(route)
            }
            if received.type == "CLOSE" { routes.remove(route) }
            return []
        }
        // A sender that is not connected to the destination is closed.
        guard routes.contains(route) else {
            return [reply(to: received, ["type": "CLOSE"], in: .connection)]
        }
        switch namespace {
        case .heartbeat: return received.type == "PING" ? [reply(to: received, ["type": "PONG"])] : []
        case .receiver: return receiveReceiverStatus(received)
        default: return tick(at: now) + receiveMedia(received, at: now)
        }
    }

    mutating func drop(_ connection: Int) { routes = routes.filter { $0.connection != connection } }

    mutating func tick(at now: Duration) -> [SentMessage] {
        player.tick(at: now).map { toAll(mediaStatus($0), in: .media, from: runs?.transport) } ?? []
    }

    private mutating func receiveReceiverStatus(_ received: ReceivedMessage) -> [SentMessage] {
        switch received.type {
        case "GET_STATUS": break
        case "GET_APP_AVAILABILITY":
            let ids = received.json["appId"]?.elements.compactMap(\.text) ?? []
            let members = ids.map { JSONMember($0, $0 == defaultMediaReceiver ? "APP_AVAILABLE" : "APP_UNAVAILABLE") }
            return [reply(to: received, ["type": "GET_APP_AVAILABILITY", "availability": JSONValue(.object(members))])]
        case "LAUNCH":
            if let launchError {
                return [reply(to: received, ["type": "LAUNCH_ERROR", "reason": JSONValue(.string(launchError))])]
            }
            guard received.json["appId"]?.text == defaultMediaReceiver else {
                return [reply(to: received, ["type": "LAUNCH_ERROR", "reason": "NOT_FOUND"])]
            }
            return launch(defaultMediaReceiver) + reported(received)
        case "STOP":
            guard let session = received.json["sessionId"]?.text, session == runs?.session else {
                return [reply(to: received, ["type": "INVALID_REQUEST", "reason": "INVALID_SESSION_ID"])]
            }
            return quit() + reported(received)
        default: return [reply(to: received, ["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"])]
        }
        return [reply(to: received, receiverStatus)]
    }

    mutating func launch(_ app: String) -> [SentMessage] {
        var sent = runs == nil ? [] : quit()
        launches += 1
        runs = (app, "session-\(launches)", "transport-\(launches)")
        sent += toAll(receiverStatus, in: .receiver, from: platform)
        return sent
    }

    /// Ends the app, and notifies the senders connected to it.
    mutating func quit() -> [SentMessage] {
        guard let gone = runs?.transport else { return [] }
        runs = nil
        player.quit()
        let closing = routes.filter { $0.destination == gone }
        routes.subtract(closing)
        return closing.sorted { $0.connection < $1.connection }
            .map { sent(["type": "CLOSE"], .connection, from: gone, to: $0.sender, on: $0.connection) }
    }

    private mutating func receiveMedia(_ received: ReceivedMessage, at now: Duration) -> [SentMessage] {
        if received.type == "GET_STATUS" { return [reply(to: received, mediaStatus(player.status(at: now)))] }
        do {
            let before =
                try received.type == "LOAD"
                ? player.load(received.json, at: now) : player.command(received.type, received.json, at: now)
            let all = before.flatMap { toAll(mediaStatus($0), in: .media, from: runs?.transport) }
            let answer = mediaStatus(received.type == "STOP" ? before.last ?? [] : player.status(at: now))
            let others = toAll(answer, in: .media, from: runs?.transport).filter {
                $0.connection != received.connection
            }
            return (received.type == "STOP" ? [] : all) + [reply(to: received, answer)] + others
        } catch VirtualPlayer.Failure.answer(let type, let reason) {
            var members = [JSONMember("type", JSONValue(.string(type)))]
            if let reason { members.append(JSONMember("reason", JSONValue(.string(reason)))) }
            guard type == "LOAD_FAILED" else { return [reply(to: received, JSONValue(.object(members)))] }
            members.append(JSONMember("detailedErrorCode", 104))
            return [reply(to: received, JSONValue(.object(members)))]
                + toAll(mediaStatus([]), in: .media, from: runs?.transport)
        } catch {
            return []
        }
    }

    /// Acts as the television's remote control.
    mutating func remote(_ type: String, _ more: [JSONMember] = [], at now: Duration) -> [SentMessage] {
        let session = player.status(at: now)[0]?["mediaSessionId"] ?? 0
        let request = JSONValue(.object([JSONMember("mediaSessionId", session)] + more))
        // If nothing is loaded, its buttons do nothing.
        guard let before = try? player.command(type, request, at: now) else { return [] }
        let statuses = type == "STOP" ? before : [player.status(at: now)]
        return statuses.flatMap { toAll(mediaStatus($0), in: .media, from: runs?.transport) }
    }

    // MARK: What is said

    private var receiverStatus: JSONValue {
        var status = [JSONMember("volume", ["level": 1, "muted": false, "controlType": "attenuation"])]
        if let runs {
            let app: JSONValue = [
                "appId": JSONValue(.string(runs.app)), "displayName": "Default Media Receiver",
                "sessionId": JSONValue(.string(runs.session)), "transportId": JSONValue(.string(runs.transport)),
                "statusText": "", "isIdleScreen": false,
                "namespaces": [["name": JSONValue(.string(Namespace.media.rawValue))]],
            ]
            status.insert(JSONMember("applications", [app]), at: 0)
        }
        return ["type": "RECEIVER_STATUS", "status": JSONValue(.object(status))]
    }

    private func mediaStatus(_ status: JSONValue) -> JSONValue { ["type": "MEDIA_STATUS", "status": status] }

    private func reported(_ received: ReceivedMessage) -> [SentMessage] {
        [reply(to: received, receiverStatus)]
            + toAll(receiverStatus, in: .receiver, from: platform).filter { $0.connection != received.connection }
    }

    /// Sends to all senders that are connected to the source, once per connection, with request id
    /// 0.
    private func toAll(_ json: JSONValue, in namespace: Namespace, from source: String?) -> [SentMessage] {
        guard let source, case .object(let members) = json.content else { return [] }
        let payload = JSONValue(.object(members + [JSONMember("requestId", 0)]))
        return Set(routes.filter { $0.destination == source }.map(\.connection)).sorted()
            .map { sent(payload, namespace, from: source, to: "*", on: $0) }
    }

    private func reply(to received: ReceivedMessage, _ json: JSONValue, in namespace: Namespace? = nil) -> SentMessage {
        guard case .object(var members) = json.content else { fatalError("a payload is an object") }
        if let id = received.json["requestId"] { members.append(JSONMember("requestId", id)) }
        let message = CastMessage(
            source: received.message.destination, destination: received.message.source,
            namespace: namespace?.rawValue ?? received.message.namespace,
            payload: .text(JSONValue(.object(members)).description))
        return SentMessage(connection: received.connection, message: message)
    }

    private func sent(
        _ json: JSONValue, _ namespace: Namespace, from source: String, to destination: String, on connection: Int
    ) -> SentMessage {
        SentMessage(
            connection: connection,
            message: CastMessage(
                source: source, destination: destination, namespace: namespace.rawValue,
                payload: .text(json.description)))
    }
}
