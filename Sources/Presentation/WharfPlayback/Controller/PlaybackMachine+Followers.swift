/// The screens that show an item played elsewhere.
extension PlaybackMachine {
    mutating func add(_ screen: any Screen, receiving kinds: PlaybackCommand.Kinds) {
        guard !isClosed else { return }
        know(screen)
        let place = Place.screen(id: screen.id)
        devices[place]?.receives = kinds
        devices[place]?.followAgain()
        showEverything(to: place)
    }

    mutating func remove(_ place: Place) {
        if follows(place), let kinds = devices[place]?.receives, let stop = PlaybackCommand.stop.filtered(by: kinds) {
            _ = devices[place]?.queue.push(stop)
        }
        devices[place]?.receives = nil
    }

    private func follows(_ place: Place) -> Bool {
        guard !isClosed, let device = devices[place], device.isConnected, device.receives != nil, !device.rests else {
            return false
        }
        // The place with the session, or about to get it, has commands of its own. As a follower it
        // would get them twice.
        return place != self.place && place != transit?.destination
    }

    /// - Parameter hasEnded: whether the item was at its end before the command.
    mutating func tellFollowers(_ command: PlaybackCommand, hasEnded: Bool = false) {
        switch command {
        case .load(_, let position, _), .seek(let position), .progress(let position): reportedProgress = position
        case .play, .pause, .stop: break
        }
        for place in order where follows(place) {
            guard let kinds = devices[place]?.receives, let forwarded = command.filtered(by: kinds) else { continue }
            _ = devices[place]?.queue.push(forwarded, hasEnded: hasEnded)
        }
    }

    /// Sends the current item to a follower that is new or was away.
    mutating func showEverything(to place: Place) {
        guard follows(place), let kinds = devices[place]?.receives, let item else { return }
        let load = PlaybackCommand.load(item, at: position, playing: isPlaying)
        if let forwarded = load.filtered(by: kinds) { _ = devices[place]?.queue.push(forwarded) }
    }
}
