internal import WharfJSON
internal import WharfPlayback

/// The state of the media receiver, which follows its `MEDIA_STATUS` messages.
///
/// A status contains only changes, so missing fields keep their values. The names are those of
/// developers.google.com/cast/docs/media/messages.
struct CastMedia {
    private(set) var state = PlaybackState.idle
    /// The id of the loaded item; nil if none is loaded. After its end an item is no longer loaded.
    private(set) var sessionID: Int?
    /// The last item that was requested here. The receiver's reports are matched to it by its
    /// address.
    private var asked: MediaItem?
    private var item: MediaItem?

    mutating func ask(for item: MediaItem) { asked = item }

    /// Removes an ended item, for which the receiver has nothing to stop.
    mutating func forget() {
        sessionID = nil
        item = nil
        state = .idle
    }

    /// - Parameter status: an array with one element, or with none if nothing is loaded.
    mutating func follow(_ status: JSONValue?) {
        guard let entry = status?[0] else {
            // Without a loaded item. That holds after the end of an item too.
            if state.phase != .ended { forget() }
            return
        }
        let session = entry["mediaSessionId"]?.integer(Int.self)
        let phase = entry["playerState"]?.text
        if phase == "IDLE" { return rest(entry, session) }
        // Another sender has loaded an item. Nothing of the one before may be shown under its id.
        if let session, session != sessionID {
            sessionID = session
            item = nil
            state.position = .zero
        }
        if let media = entry["media"], let found = item(media) { item = found }
        if let position = Duration(castSeconds: entry["currentTime"]) { state.position = position }
        // A session without a description of its item is skipped: the next poll brings the
        // description.
        guard sessionID != nil, let item else { return }
        state.item = item
        switch phase {
        case "PLAYING": state.phase = .playing
        case "PAUSED": state.phase = .paused
        case "BUFFERING", "LOADING": state.phase = .loading
        default: break
        }
    }

    /// Handles `IDLE`, for which `idleReason` gives the reason.
    private mutating func rest(_ entry: JSONValue, _ session: Int?) {
        if entry["extendedStatus"]?["playerState"]?.text == "LOADING" {
            guard let media = entry["extendedStatus"]?["media"], let loading = item(media) else { return }
            sessionID = session ?? sessionID
            item = loading
            state = PlaybackState(.loading, item: loading)
            return
        }
        // This reports an earlier item, which another has replaced.
        if let session, let sessionID, session != sessionID { return }
        switch entry["idleReason"]?.text {
        // The report of the replacing item follows.
        case "INTERRUPTED": return
        case "FINISHED":
            guard sessionID != nil, let item else { return }
            state = PlaybackState(.ended, item: item, position: item.duration ?? state.position)
            sessionID = nil
        default:
            // An ended item stays ended: the receiver repeats `IDLE` when it is asked.
            if state.phase != .ended { forget() }
        }
    }

    private func item(_ media: JSONValue) -> MediaItem? {
        guard let url = media["contentId"]?.text else { return nil }
        // If the requested item failed to load, the item before it plays on.
        for known in [asked, item] { if let known, known.url == url { return known } }
        return MediaItem(
            id: media["customData"]?["itemID"]?.text ?? url, url: url, contentType: media["contentType"]?.text ?? "",
            title: media["metadata"]?["title"]?.text, duration: Duration(castSeconds: media["duration"]))
    }
}
