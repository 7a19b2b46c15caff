extension PlaybackState {
    /// Applies a command to the state, as a player without delay would.
    ///
    /// This defines the meaning of the commands.
    ///
    /// - Throws: `refused` if there is no item to act on.
    package mutating func apply(_ command: PlaybackCommand) throws(PlaybackError) {
        switch command {
        case .load(let item, let position, let isPlaying):
            self = Self(isPlaying ? .playing : .paused, item: item, position: item.within(position))
        case .play:
            try requireItem(for: command)
            if phase == .ended { position = .zero }
            phase = .playing
        case .pause:
            try requireItem(for: command)
            if phase != .ended { phase = .paused }
        case .seek(let target):
            let item = try requireItem(for: command)
            // A seek leaves the end of the item, and does not start it.
            if phase == .ended { phase = .paused }
            position = item.within(target)
        case .progress: break
        case .stop: self = .idle
        }
    }

    @discardableResult
    private func requireItem(for command: PlaybackCommand) throws(PlaybackError) -> MediaItem {
        guard let item else { throw .nothingLoaded(for: command) }
        return item
    }
}

extension PlaybackError {
    /// Returns the error of a player without an item.
    package static func nothingLoaded(for command: PlaybackCommand) -> PlaybackError {
        PlaybackError(.refused, "no item is loaded to \(command.name); load one first")
    }
}

extension MediaItem {
    /// Returns the position, clamped to the item's start and known end.
    package func within(_ position: Duration) -> Duration {
        max(.zero, duration.map { min($0, position) } ?? position)
    }
}

extension PlaybackCommand {
    var name: String {
        switch self {
        case .load: "load"
        case .play: "play"
        case .pause: "pause"
        case .seek: "seek"
        case .progress: "show progress of"
        case .stop: "stop"
        }
    }
}
