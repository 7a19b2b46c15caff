/// What ends: links that are lost or let go of, and all of it.
extension PlaybackMachine {
    /// The device is gone, or is taken for it.
    mutating func lose(_ place: Place, _ error: PlaybackError) {
        guard var device = devices[place], case .connected(let link) = device.link else { return }
        let tickets = giveUp(&device)
        device.count(error)
        device.isBroken = true
        letGo(of: &device, at: place, link)
        devices[place] = device
        // Somebody else has it: what it plays goes on there.
        if self.place == place, error.code == .refused { hold(because: error) }
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

    /// Pauses the session, wherever it goes, because the place that it leaves may play on.
    ///
    /// - Parameter error: what those hear who have asked for it to play on its way.
    private mutating func hold(because error: PlaybackError) {
        guard item != nil, isPlaying else { return }
        anchor(at: position, runs: false)
        isPlaying = false
        phase = .paused
        // It goes into the load that waits there: nobody is overtaken.
        _ = transit?.held.push(.pause)
        settle(transit?.held.leave(\.asksToPlay) ?? [], .failure(error))
        tellFollowers(.pause)
    }

    /// The place that the session leaves has not done the last thing that it was told, which was to
    /// rest.
    mutating func stays(_ place: Place, _ error: PlaybackError) {
        guard devices[place]?.queue.isEmpty == true, isPlaying else { return }
        // What does not play for sure, and could not be told more, is at rest.
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
        device.forget()
        device.busy = (step, .disconnect)
        act(.stopReading(link: link))
        act(.disconnect(place, step: step))
    }

    /// Nothing waits any more for what the device was told.
    ///
    /// - Returns: who did.
    private mutating func giveUp(_ device: inout Device) -> [Ticket] {
        let waiting = device.queue.clear()
        guard let busy = device.busy, case .command(let entry) = busy.work else { return waiting }
        act(.forget(step: busy.step))
        device.busy = nil
        return entry.tickets + waiting
    }

    /// Lets go of everything. What engine and screens play goes on.
    mutating func close() {
        guard !isClosed else { return }
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
    static let closed = PlaybackError(.closed, "expected a playback that is open, but it was closed; make another")
}
