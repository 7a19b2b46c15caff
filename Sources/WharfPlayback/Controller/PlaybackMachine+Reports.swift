/// What players say of themselves.
extension PlaybackMachine {
    mutating func reported(_ state: PlaybackState, by place: Place, link: Int) {
        guard devices[place]?.link == .connected(link) else { return }
        let report = Device.Report(state: state, time: now, number: number())
        devices[place]?.said = report
        guard hasNothingToDo(place) else { return }
        if let end = devices[place]?.settlesBy, now < end, !fits(state) { return }
        endSettling(place)
        believeKnown(of: place)
    }

    /// The time in which a player may say what was so before is over: what it has said in it is so.
    /// Where it has said nothing, what it was told is.
    mutating func settled(_ place: Place, link: Int) {
        guard devices[place]?.link == .connected(link), hasNothingToDo(place),
            let end = devices[place]?.settlesBy, now >= end
        else { return }
        endSettling(place)
        if devices[place]?.hasSpoken == true { believeKnown(of: place) }
    }

    /// It did not do what was asked for, and is in what it was in before. What may be older than a
    /// command that it took before has to wait for the end of that time.
    mutating func fallBack(to place: Place) {
        guard let device = devices[place] else { return }
        if let end = device.settlesBy {
            if device.hasSpoken, now < end { return }
            if now >= end { endSettling(place) }
        }
        believeKnown(of: place)
    }

    /// While it has something to do, what it says may be older than what it was told.
    func hasNothingToDo(_ place: Place) -> Bool {
        guard place == self.place, transit == nil, let device = devices[place] else { return false }
        return device.busy == nil && device.queue.isEmpty
    }

    mutating func believeKnown(of place: Place) {
        if let known = devices[place]?.known { believe(known.state(at: now), from: place) }
    }

    mutating func endSettling(_ place: Place) {
        guard devices[place]?.settlesBy != nil else { return }
        devices[place]?.settlesBy = nil
        if case .connected(let link) = devices[place]?.link { act(.letSleep(link: link)) }
    }

    /// A player says nothing more.
    ///
    /// - Parameter loss: the screen's ``Screen/loss``.
    mutating func ended(_ place: Place, link: Int, loss: PlaybackError?) {
        guard let device = devices[place], device.link == .connected(link), let screen = device.screen else { return }
        let silence = PlaybackError(
            .disconnected, "expected \(screen.name) to go on telling its state, but it is gone; connect it again")
        lose(place, loss ?? silence)
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

    /// A player has taken all that it was told. What it said by then counts where it fits, but its
    /// position may be older.
    ///
    /// - Returns: whether it does.
    mutating func settle(_ place: Place) -> Bool {
        guard case .connected(let link) = devices[place]?.link else { return false }
        guard let said = devices[place]?.said?.state(at: now), fits(said) else {
            devices[place]?.settlesBy = now + Self.settling
            act(.wake(place, link: link, after: Self.settling))
            return false
        }
        endSettling(place)
        guard let shown = said.item else { return true }
        phase = said.phase
        anchor(at: position, runs: phase == .playing)
        if item?.duration == nil { item?.duration = shown.duration }
        return true
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
