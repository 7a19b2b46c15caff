internal import WharfJSON
internal import WharfPlayback

extension CastSession {
    /// - Parameter call: identifies the caller in the answer.
    mutating func perform(_ command: PlaybackCommand, call: UInt64, at now: Duration) -> [Action] {
        guard case .ready(let app) = phase else {
            return [.answer(call: call, PlaybackError(.disconnected, "the screen is not connected; connect it first"))]
        }
        switch command {
        case .load(let item, let position, let playing):
            return load(item, at: position, playing: playing, call, app, now)
        case .progress:
            return [.answer(call: call, nil)]
        case .stop:
            guard let session = media.sessionID else {
                media.forget()
                // The receiver may have an item that is unknown here, or may be gone. Its answer
                // decides.
                return [.state(media.state)]
                    + ask(Outgoing.getStatus, in: .media, to: app.transportID, for: .command(call), at: now)
            }
            return ask(Outgoing.stop(session), in: .media, to: app.transportID, for: .command(call), at: now)
        case .play, .pause, .seek:
            guard let session = media.sessionID else { return again(command, call, app, now) }
            return ask(Self.payload(command, session), in: .media, to: app.transportID, for: .command(call), at: now)
        }
    }

    private static func payload(_ command: PlaybackCommand, _ session: Int) -> JSONValue {
        switch command {
        case .pause: Outgoing.pause(session)
        case .seek(let position): Outgoing.seek(to: position, session)
        default: Outgoing.play(session)
        }
    }

    private mutating func load(
        _ item: MediaItem, at position: Duration, playing: Bool, _ call: UInt64, _ app: CastApp, _ now: Duration
    ) -> [Action] {
        // Before the answer: the status that announces the item may arrive first, and is matched to
        // it.
        media.ask(for: item)
        return ask(
            Outgoing.load(item, at: item.within(position), playing: playing, in: app), in: .media, to: app.transportID,
            for: .command(call), within: Self.longPatience, at: now)
    }

    /// Handles a command after the end of an item. The receiver has unloaded it, so it is loaded
    /// again.
    private mutating func again(
        _ command: PlaybackCommand, _ call: UInt64, _ app: CastApp, _ now: Duration
    ) -> [Action] {
        guard media.state.phase == .ended, let item = media.state.item else {
            return [.answer(call: call, .nothingLoaded(for: command))]
        }
        return switch command {
        case .play: load(item, at: .zero, playing: true, call, app, now)
        case .seek(let position): load(item, at: position, playing: false, call, app, now)
        // Pausing an ended item changes nothing (`PlaybackState.apply`).
        default: [.answer(call: call, nil)]
        }
    }
}
