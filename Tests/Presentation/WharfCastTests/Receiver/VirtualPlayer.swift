import WharfJSON

@testable import WharfCast

/// The loaded item of a default media receiver, and its position by a clock. It plays nothing.
struct VirtualPlayer {
    enum Failure: Error {
        case answer(type: String, reason: String?)
    }

    private struct Media {
        let sessionID: Int
        let info: JSONValue
        let duration: Duration?
        var isPlaying: Bool
        /// The position at the last command, and the time of that command.
        var position: Duration
        var since: Duration

        func within(_ position: Duration) -> Duration { duration.map { min($0, position) } ?? position }
        func position(at now: Duration) -> Duration { isPlaying ? within(position + now - since) : position }
    }

    /// URLs that can't be played.
    var unplayable: Set<String> = []
    private var media: Media?
    private var last = 0

    /// - Returns: the statuses that are broadcast before the answer.
    mutating func load(_ request: JSONValue, at now: Duration) throws -> [JSONValue] {
        guard let info = request["media"], let url = info["contentId"]?.text, info["contentType"]?.text != nil,
            let stream = info["streamType"]?.text, ["BUFFERED", "LIVE", "NONE"].contains(stream)
        else { throw Failure.answer(type: "INVALID_REQUEST", reason: "INVALID_PARAMS") }
        var reported = media.map { [idle($0, "INTERRUPTED")] } ?? []
        last += 1
        var loading = Media(
            sessionID: last, info: info, duration: Duration(castSeconds: info["duration"]), isPlaying: false,
            position: .zero, since: now)
        guard !unplayable.contains(url) else {
            media = nil
            throw Failure.answer(type: "LOAD_FAILED", reason: nil)
        }
        loading.position = loading.within(Duration(castSeconds: request["currentTime"]) ?? .zero)
        media = loading
        reported.append(status(at: now, "BUFFERING"))
        media?.isPlaying = request["autoplay"] != JSONValue(.bool(false))
        return reported
    }

    mutating func quit() { media = nil }

    mutating func command(_ type: String, _ request: JSONValue, at now: Duration) throws -> [JSONValue] {
        guard var playing = media else { throw Failure.answer(type: "INVALID_PLAYER_STATE", reason: nil) }
        guard request["mediaSessionId"]?.integer(Int.self) == playing.sessionID else {
            throw Failure.answer(type: "INVALID_REQUEST", reason: "INVALID_MEDIA_SESSION_ID")
        }
        playing.position = playing.position(at: now)
        playing.since = now
        switch type {
        case "PLAY": playing.isPlaying = true
        case "PAUSE": playing.isPlaying = false
        case "SEEK":
            guard let position = Duration(castSeconds: request["currentTime"]) else {
                throw Failure.answer(type: "INVALID_REQUEST", reason: "INVALID_PARAMS")
            }
            playing.position = playing.within(position)
            switch request["resumeState"]?.text {
            case "PLAYBACK_START"?: playing.isPlaying = true
            case "PLAYBACK_PAUSE"?: playing.isPlaying = false
            default: break
            }
        case "STOP":
            media = nil
            return [idle(playing, "CANCELLED")]
        default: throw Failure.answer(type: "INVALID_REQUEST", reason: "INVALID_COMMAND")
        }
        media = playing
        return []
    }

    /// - Returns: the status to broadcast when the item has ended.
    mutating func tick(at now: Duration) -> JSONValue? {
        guard let playing = media, playing.isPlaying, let duration = playing.duration,
            playing.position(at: now) >= duration
        else { return nil }
        media = nil
        return idle(playing, "FINISHED")
    }

    /// The complete status, as in an answer to `GET_STATUS`.
    func status(at now: Duration, _ phase: String? = nil) -> JSONValue {
        guard let media else { return [] }
        return [
            entry(
                media, phase ?? (media.isPlaying ? "PLAYING" : "PAUSED"), at: media.position(at: now),
                [JSONMember("media", media.info)])
        ]
    }

    private func idle(_ media: Media, _ reason: String) -> JSONValue {
        [entry(media, "IDLE", at: .zero, [JSONMember("idleReason", JSONValue(.string(reason)))])]
    }

    private func entry(
        _ media: Media, _ phase: String, at position: Duration, _ more: [JSONMember]
    ) -> JSONValue {
        let members = [
            JSONMember("mediaSessionId", JSONValue(integerLiteral: media.sessionID)),
            JSONMember("playbackRate", 1), JSONMember("playerState", JSONValue(.string(phase))),
            JSONMember("currentTime", position.castSeconds), JSONMember("supportedMediaCommands", 12303),
            JSONMember("volume", ["level": 1, "muted": false]), JSONMember("repeatMode", "REPEAT_OFF"),
        ]
        return JSONValue(.object(members + more))
    }
}
