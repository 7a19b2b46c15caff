internal import WharfJSON
internal import WharfPlayback

/// The payloads of sent messages.
///
/// The formats are those of developers.google.com/cast/docs/media/messages and Chromium's cast
/// channel.
enum Outgoing {
    static let connect: JSONValue = ["type": "CONNECT", "origin": [:]]
    static let close: JSONValue = ["type": "CLOSE"]
    static let ping: JSONValue = ["type": "PING"]
    static let pong: JSONValue = ["type": "PONG"]
    static let getStatus: JSONValue = ["type": "GET_STATUS"]
    static let launch: JSONValue = ["type": "LAUNCH", "appId": JSONValue(.string(defaultMediaReceiver))]

    static func load(_ item: MediaItem, at position: Duration, playing: Bool, in app: CastApp) -> JSONValue {
        var metadata = [JSONMember("metadataType", 0)]
        if let title = item.title { metadata.append(JSONMember("title", JSONValue(.string(title)))) }
        var media = [
            JSONMember("contentId", JSONValue(.string(item.url))),
            // Correct for live broadcasts too: the receiver learns from the manifest that there is
            // no end.
            JSONMember("streamType", "BUFFERED"),
            JSONMember("contentType", JSONValue(.string(item.contentType))),
            JSONMember("metadata", JSONValue(.object(metadata))),
            JSONMember("customData", ["itemID": JSONValue(.string(item.id))]),
        ]
        if let duration = item.duration { media.append(JSONMember("duration", duration.castSeconds)) }
        return [
            "type": "LOAD", "sessionId": JSONValue(.string(app.sessionID)), "media": JSONValue(.object(media)),
            "autoplay": JSONValue(.bool(playing)), "currentTime": position.castSeconds, "customData": [:],
        ]
    }

    static func play(_ session: Int) -> JSONValue { command("PLAY", session) }
    static func pause(_ session: Int) -> JSONValue { command("PAUSE", session) }
    static func stop(_ session: Int) -> JSONValue { command("STOP", session) }

    /// Seeks without a `resumeState`, so the receiver keeps playing or stays paused.
    static func seek(to position: Duration, _ session: Int) -> JSONValue {
        command("SEEK", session, [JSONMember("currentTime", position.castSeconds)])
    }

    private static func command(_ type: String, _ session: Int, _ more: [JSONMember] = []) -> JSONValue {
        JSONValue(
            .object(
                [
                    JSONMember("type", JSONValue(.string(type))),
                    JSONMember("mediaSessionId", JSONValue(integerLiteral: session)),
                ]
                    + more))
    }
}
