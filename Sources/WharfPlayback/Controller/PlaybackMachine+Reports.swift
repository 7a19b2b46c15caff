/// What players say of themselves.
extension PlaybackMachine {
    mutating func reported(_ state: PlaybackState, by place: Place, link: Int) {
        guard devices[place]?.link == .connected(link) else { return }
        devices[place]?.reported = Device.Report(state: state, time: now)
        guard hasNothingToDo(place) else { return }
        if let end = devices[place]?.settlesBy, now < end, !fits(state) { return }
        believeLast(of: place)
    }

    /// The time in which a player may say what was so before is over: what it says now is so.
    mutating func settled(_ place: Place, link: Int) {
        guard devices[place]?.link == .connected(link), hasNothingToDo(place),
            let end = devices[place]?.settlesBy, now >= end
        else { return }
        believeLast(of: place)
    }

    /// While it has something to do, what it says may be older than what it was told.
    private func hasNothingToDo(_ place: Place) -> Bool {
        guard place == self.place, transit == nil, let device = devices[place] else { return false }
        return device.busy == nil && device.queue.isEmpty
    }

    mutating func believeLast(of place: Place) {
        endSettling(place)
        if let reported = devices[place]?.reported { believe(reported.state(at: now), from: place) }
    }

    mutating func endSettling(_ place: Place) {
        guard devices[place]?.settlesBy != nil else { return }
        devices[place]?.settlesBy = nil
        if case .connected(let link) = devices[place]?.link { act(.letSleep(link: link)) }
    }

    /// A player says nothing more.
    mutating func ended(_ place: Place, link: Int) {
        guard let device = devices[place], device.link == .connected(link), let screen = device.screen else { return }
        let silence = PlaybackError(
            .disconnected, "expected \(screen.name) to go on telling its state, but it is gone; connect it again")
        lose(place, screen.loss ?? silence)
    }

    /// Takes over what the place where the session is says, where it has nothing else to do.
    private mutating func believe(_ state: PlaybackState, from place: Place) {
        guard let shown = state.item, state.phase != .idle else {
            guard item != nil else { return }
            forgetItem()
            return tellFollowers(.stop)
        }
        let (wasPlaying, hadEnded) = (isPlaying, phase == .ended)
        let isOther = shown.id != item?.id
        if state.phase != .loading { isPlaying = state.phase == .playing }
        phase = state.phase
        if isOther { item = shown } else if item?.duration == nil { item?.duration = shown.duration }
        anchor(at: state.position, runs: state.phase == .playing)
        if isOther {
            tellFollowers(.load(shown, at: anchor.position, playing: isPlaying))
        } else {
            if isPlaying != wasPlaying { tellFollowers(isPlaying ? .play : .pause, hasEnded: hadEnded) }
            if anchor.position != told { tellFollowers(.progress(anchor.position)) }
        }
    }

    /// For how long a player may go on saying what was so before a command that it has taken.
    private static let settling = Duration.seconds(3)

    /// A player has taken all that it was told. What it said meanwhile counts where it fits, but its position may be older.
    mutating func settle(_ place: Place) {
        guard case .connected(let link) = devices[place]?.link else { return }
        guard let reported = devices[place]?.reported?.state(at: now), fits(reported) else {
            devices[place]?.settlesBy = now + Self.settling
            return act(.wake(place, link: link, after: Self.settling))
        }
        endSettling(place)
        guard let shown = reported.item else { return }
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
