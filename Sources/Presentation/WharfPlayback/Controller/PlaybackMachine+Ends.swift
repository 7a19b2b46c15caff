/// The ends of connections, and of the whole playback.
extension PlaybackMachine {
    /// Handles the loss of a connection.
    mutating func lose(_ place: Place, _ error: PlaybackError) {
        guard var device = devices[place], case .connected(let link) = device.link else { return }
        // Before the connection is dropped: the answer of the running command must find its step
        // gone.
        let tickets = giveUp(&device)
        device.count(error)
        device.isBroken = true
        letGo(of: &device, at: place, link)
        devices[place] = device
        // Another sender has taken the screen over and may play on, so the session pauses
        // elsewhere.
        if self.place == place, error.code == .refused { hold(because: error) }
        // The session was on its way there. It turns back to the engine with its held commands.
        if transit?.destination == place {
            noteReturn(from: place, error)
            transit?.destination = .engine
            arrived(.failure(error))
        } else if self.place == place, transit == nil {
            noteReturn(from: place, error)
            arrived(.failure(error))
            beginTransit(to: .engine)
        }
        settle(tickets, .failure(error))
    }

    mutating func noteReturn(from place: Place, _ error: PlaybackError) {
        guard let screen = devices[place]?.screen else { return }
        returned = .init(screenID: screen.id, screenName: screen.name, error: error, position: position)
    }

    /// Pauses the session, because the place that it leaves may play on.
    ///
    /// - Parameter error: the outcome for callers that have asked to play during the transit.
    private mutating func hold(because error: PlaybackError) {
        guard item != nil, isPlaying else { return }
        anchor(at: position, runs: false)
        isPlaying = false
        phase = .paused
        // The pause merges into the pending load, so it supersedes no ticket.
        _ = transit?.held.push(.pause)
        settle(transit?.held.leave(\.asksToPlay) ?? [], .failure(error))
        tellFollowers(.pause)
    }

    /// Handles a player that has not carried out the command to pause or stop.
    ///
    /// The session is leaving this place, so it pauses if the player may play on.
    mutating func stays(_ place: Place, _ error: PlaybackError) {
        guard devices[place]?.queue.isEmpty == true, isPlaying else { return }
        // The player is at rest if it certainly does not play, and no timed-out command can change
        // that.
        let rests =
            switch devices[place]?.certain?.state.phase {
            case .idle, .paused, .ended: error.code != .timedOut
            case .loading, .playing, nil: false
            }
        guard !rests else { return }
        hold(because: error)
        arrived(.failure(error))
    }

    mutating func letGo(of device: inout Device, at place: Place, _ link: Int) {
        let step = number()
        device.link = .none
        // Reports of this connection must not decide over the next one.
        device.forget()
        device.busy = (step, .disconnect)
        act(.stopReading(link: link))
        act(.disconnect(place, step: step))
    }

    /// Drops the running and pending commands of a device.
    ///
    /// - Returns: the tickets of their callers.
    private mutating func giveUp(_ device: inout Device) -> [Ticket] {
        let waiting = device.queue.clear()
        guard let busy = device.busy, case .command(let entry) = busy.work else { return waiting }
        act(.forget(step: busy.step))
        device.busy = nil
        return entry.tickets + waiting
    }

    /// Closes all connections. The engine and the screens continue to play.
    mutating func close() {
        guard !isClosed else { return }
        // First: `anchor` and `isWanted` below depend on it.
        isClosed = true
        anchor(at: position, runs: false)
        var tickets = (candidate?.tickets ?? []) + arrivals + (transit?.held.tickets ?? [])
        (candidate, arrivals, transit) = (nil, [], nil)
        for place in order {
            guard var device = devices[place] else { continue }
            tickets += giveUp(&device)
            if case .connected(let link) = device.link {
                if device.screen != nil {
                    letGo(of: &device, at: place, link)
                } else {
                    device.link = .none
                    act(.stopReading(link: link))
                }
            }
            devices[place] = device
        }
        settle(tickets, .failure(.closed))
    }
}

extension PlaybackError {
    static let closed = PlaybackError(.closed, "the playback was closed; make another")
}
