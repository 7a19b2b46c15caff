/// The states that players report.
extension PlaybackMachine {
    mutating func reported(_ state: PlaybackState, by place: Place, link: Int) {
        // A task of an earlier connection may report late.
        guard devices[place]?.link == .connected(link) else { return }
        let report = Device.Report(state: state, time: now, number: number())
        devices[place]?.report = report
        guard hasNothingToDo(place) else { return }
        // A poll that was in flight during the command shows the state before it. Believed, it
        // would undo the command for the observers.
        if let end = devices[place]?.settlesBy, now < end, !fits(state) { return }
        endSettling(place)
        adoptKnown(of: place)
    }

    /// Handles the end of a player's settling time.
    ///
    /// The newest report from that time is believed. Without one, the commanded state stands.
    mutating func settled(_ place: Place, link: Int) {
        guard devices[place]?.link == .connected(link), hasNothingToDo(place),
            let end = devices[place]?.settlesBy, now >= end
        else { return }
        endSettling(place)
        if devices[place]?.hasSpoken == true { adoptKnown(of: place) }
    }

    /// Goes back to the known state of a player after a failed command.
    ///
    /// If an earlier command is still settling, a report may be older than that command. Then this
    /// waits for the end of the settling time.
    mutating func fallBack(to place: Place) {
        guard let device = devices[place] else { return }
        if let end = device.settlesBy {
            if device.hasSpoken, now < end { return }
            if now >= end { endSettling(place) }
        }
        adoptKnown(of: place)
    }

    /// Whether the place has the session, and no running or pending command.
    ///
    /// Otherwise its reports may be older than its commands.
    func hasNothingToDo(_ place: Place) -> Bool {
        guard place == self.place, transit == nil, let device = devices[place] else { return false }
        return device.busy == nil && device.queue.isEmpty
    }

    mutating func adoptKnown(of place: Place) {
        if let known = devices[place]?.known { adopt(known.state(at: now), from: place) }
    }

    mutating func endSettling(_ place: Place) {
        guard devices[place]?.settlesBy != nil else { return }
        devices[place]?.settlesBy = nil
        if case .connected(let link) = devices[place]?.link { act(.cancelWake(link: link)) }
    }

    /// Handles the end of a player's states.
    ///
    /// - Parameter loss: the screen's ``Screen/loss``.
    mutating func ended(_ place: Place, link: Int, loss: PlaybackError?) {
        guard let device = devices[place], device.link == .connected(link), let screen = device.screen else { return }
        let silence = PlaybackError(
            .disconnected, "\(screen.name) no longer reports its state; connect it again")
        lose(place, loss ?? silence)
    }

    /// Adopts the state that the place with the session reports.
    private mutating func adopt(_ state: PlaybackState, from place: Place) {
        guard let shown = state.item, state.phase != .idle else {
            guard item != nil else { return }
            forgetItem()
            return tellFollowers(.stop)
        }
        // Compared below, so that followers hear of changes alone.
        let (wasPlaying, hadEnded) = (isPlaying, phase == .ended)
        let isOther = shown.id != item?.id
        if state.phase != .loading { isPlaying = state.phase == .playing }
        phase = state.phase
        // The known description of an item is richer than a report, so only its duration is taken
        // over.
        if isOther { item = shown } else if item?.duration == nil { item?.duration = shown.duration }
        anchor(at: state.position, runs: state.phase == .playing)
        if isOther {
            tellFollowers(.load(shown, at: anchor.position, playing: isPlaying))
        } else {
            if isPlaying != wasPlaying { tellFollowers(isPlaying ? .play : .pause, hasEnded: hadEnded) }
            if anchor.position != reportedProgress { tellFollowers(.progress(anchor.position)) }
        }
    }

    /// The time in which a player may still report the state before a command.
    private static let settling = Duration.seconds(3)

    /// Starts the settling time of a player that has accepted all commands.
    ///
    /// If the last report already fits the commands, it is adopted at once. Its position may be
    /// older, so the computed position stays.
    ///
    /// - Returns: whether the last report fits.
    mutating func settle(_ place: Place) -> Bool {
        guard case .connected(let link) = devices[place]?.link else { return false }
        guard let state = devices[place]?.report?.state(at: now), fits(state) else {
            devices[place]?.settlesBy = now + Self.settling
            act(.wake(place, link: link, after: Self.settling))
            return false
        }
        endSettling(place)
        guard let shown = state.item else { return true }
        phase = state.phase
        anchor(at: position, runs: phase == .playing)
        if item?.duration == nil { item?.duration = shown.duration }
        return true
    }

    /// Whether a state can be the result of all commands.
    private func fits(_ state: PlaybackState) -> Bool {
        guard let item else { return state.item == nil }
        guard state.item?.id == item.id else { return false }
        let distance = state.position - position
        // Reports come in whole seconds, and playback advances until they arrive.
        guard distance < .seconds(2), distance > .seconds(-2) else { return false }
        switch state.phase {
        case .loading: return true
        case .playing: return isPlaying
        case .paused, .ended: return !isPlaying
        case .idle: return false
        }
    }
}
