/// What players say of themselves.
extension PlaybackMachine {
    mutating func reported(_ state: PlaybackState, by place: Place, link: Int) {
        guard devices[place]?.link == .connected(link) else { return }
        devices[place]?.reported = state
        // While it has something to do, what it says may be older than what it was told.
        guard place == self.place, transit == nil, let device = devices[place], device.busy == nil,
            device.queue.isEmpty
        else { return }
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
            tellFollowers(.progress(anchor.position))
        }
    }

    /// Takes from what was said while a command was on its way what fits the command: it may be older in all else.
    mutating func take(reportedBy place: Place) {
        guard let reported = devices[place]?.reported, let shown = reported.item, shown.id == item?.id else { return }
        devices[place]?.hasShown = true
        switch reported.phase {
        case .playing where isPlaying, .paused where !isPlaying: phase = reported.phase
        case .loading:
            phase = .loading
            anchor(at: position, runs: false)
        default: break
        }
        if item?.duration == nil { item?.duration = shown.duration }
    }
}
