#if Cast
internal import WharfJSON
internal import WharfPlayback

/// What the media receiver plays, by what it says in `MEDIA_STATUS`: a value that follows.
///
/// A status tells what changed, so what is not in it stays. The names are those of
/// developers.google.com/cast/docs/media/messages.
struct CastMedia {
    private(set) var state = PlaybackState.idle
    /// Names what is loaded to the receiver; nil when nothing is. What was played to its end is no
    /// longer loaded.
    private(set) var sessionID: Int?
    /// What was asked for here last. The receiver knows it by its address.
    private var asked: MediaItem?
    private var item: MediaItem?

    mutating func ask(for item: MediaItem) { asked = item }

    /// After the item ended, when the receiver has nothing left to stop.
    mutating func forget() {
        sessionID = nil
        item = nil
        state = .idle
    }

    /// - Parameter status: an array of one element, or of none when nothing is loaded.
    mutating func follow(_ status: JSONValue?) {
        guard let entry = status?[0] else {
            // Nothing is loaded, which is so after the end of an item too.
            if state.phase != .ended { forget() }
            return
        }
        let session = entry["mediaSessionId"]?.integer(Int.self)
        let phase = entry["playerState"]?.text
        if phase == "IDLE" { return rest(entry, session) }
        if let session, session != sessionID {
            sessionID = session
            item = nil
            state.position = .zero
        }
        if let media = entry["media"], let found = item(media) { item = found }
        if let position = Duration(castSeconds: entry["currentTime"]) { state.position = position }
        // One that came without a word on what it is will be asked about.
        guard sessionID != nil, let item else { return }
        state.item = item
        switch phase {
        case "PLAYING": state.phase = .playing
        case "PAUSED": state.phase = .paused
        case "BUFFERING", "LOADING": state.phase = .loading
        default: break
        }
    }

    /// `IDLE` says by `idleReason` what was before.
    private mutating func rest(_ entry: JSONValue, _ session: Int?) {
        if entry["extendedStatus"]?["playerState"]?.text == "LOADING" {
            guard let media = entry["extendedStatus"]?["media"], let loading = item(media) else { return }
            sessionID = session ?? sessionID
            item = loading
            state = PlaybackState(.loading, item: loading)
            return
        }
        // Of an item that another has followed.
        if let session, let sessionID, session != sessionID { return }
        switch entry["idleReason"]?.text {
        // The one that took its place comes next.
        case "INTERRUPTED": return
        case "FINISHED":
            guard sessionID != nil, let item else { return }
            state = PlaybackState(.ended, item: item, position: item.duration ?? state.position)
            sessionID = nil
        default:
            // Told again when asked.
            if state.phase != .ended { forget() }
        }
    }

    private func item(_ media: JSONValue) -> MediaItem? {
        guard let url = media["contentId"]?.text else { return nil }
        // What was asked for may have failed, and the one before goes on.
        for known in [asked, item] { if let known, known.url == url { return known } }
        return MediaItem(
            id: media["customData"]?["itemID"]?.text ?? url, url: url, contentType: media["contentType"]?.text ?? "",
            title: media["metadata"]?["title"]?.text, duration: Duration(castSeconds: media["duration"]))
    }
}
#endif
