/// What players say of themselves.
extension PlaybackMachine {
    mutating func reported(_ state: PlaybackState, by place: Place, link: Int) {
        guard devices[place]?.link == .connected(link) else { return }
        devices[place]?.reported = state
        // While it has something to do, what it says may be older than what it was told.
        guard place == self.place, transit == nil, let device = devices[place], device.busy == nil,
            device.queue.isEmpty
        else { return }
        if let end = device.settlesBy, now < end, !fits(state) { return }
        devices[place]?.settlesBy = nil
        believe(state, from: place)
    }

    /// A player says nothing more.
    mutating func ended(_ place: Place, link: Int) {
        guard let device = devices[place], device.link == .connected(link), let screen = device.screen else { return }
        let silence = PlaybackError(
            .disconnected, "expected \(screen.name) to go on telling its state, but it is gone; connect it again")
        lose(place, screen.loss ?? silence)
    }

    /// Takes over what the place where the session is says, where it has nothing else to do.
    mutating func believe(_ state: PlaybackState, from place: Place) {
        let hasShown = devices[place]?.hasShown == true
        guard let shown = state.item, state.phase != .idle else {
            guard item != nil, hasShown else { return }
            forgetItem()
            return tellFollowers(.stop)
        }
        let wasPlaying = isPlaying
        let isOther = shown.id != item?.id
        if isOther, item != nil, !hasShown { return }
        devices[place]?.hasShown = true
        if state.phase != .loading { isPlaying = state.phase == .playing }
        phase = state.phase
        if isOther { item = shown } else if item?.duration == nil { item?.duration = shown.duration }
        anchor(at: state.position, runs: state.phase == .playing)
        if isOther {
            tellFollowers(.load(shown, at: anchor.position, playing: isPlaying))
        } else {
            if isPlaying != wasPlaying { tellFollowers(isPlaying ? .play : .pause) }
            if anchor.position != told { tellFollowers(.progress(anchor.position)) }
        }
    }

    /// For how long a player may go on saying what was so before a command that it has taken.
    private static let settling = Duration.seconds(3)

    /// A player has taken all that it was told. What it said meanwhile counts where it fits, but its position may be older.
    mutating func settle(_ place: Place) {
        devices[place]?.settlesBy = now + Self.settling
        guard let reported = devices[place]?.reported, fits(reported) else { return }
        devices[place]?.settlesBy = nil
        guard let shown = reported.item else { return }
        devices[place]?.hasShown = true
        phase = reported.phase
        anchor(at: position, runs: phase == .playing)
        if item?.duration == nil { item?.duration = shown.duration }
    }

    /// Whether a player may have said so after it has taken all that it was told.
    private func fits(_ state: PlaybackState) -> Bool {
        guard let item else { return state.item == nil }
        guard state.item?.id == item.id else { return false }
        let distance = state.position - position
        guard distance < .seconds(2), distance > .seconds(-2) else { return false }
        switch state.phase {
        case .loading: return true
        case .playing: return isPlaying
        case .paused, .ended: return !isPlaying
        case .idle: return false
        }
    }
}
