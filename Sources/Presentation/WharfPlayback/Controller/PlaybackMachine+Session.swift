/// The requests of the app, and the way of the session from place to place.
extension PlaybackMachine {
    mutating func perform(_ command: PlaybackCommand, _ ticket: Ticket) {
        guard !isClosed else { return settle([ticket], .failure(.closed)) }
        var command = command
        let hasEnded = phase == .ended
        switch command {
        case .load(let next, let position, let isPlaying):
            // The state follows the command at once, and is corrected by the reports.
            (item, self.isPlaying, phase) = (next, isPlaying, .loading)
            anchor(at: position, runs: isPlaying)
            command = .load(next, at: anchor.position, playing: isPlaying)
            for place in order where devices[place]?.receives != nil { devices[place]?.followAgain() }
        case .play, .pause:
            guard item != nil else { return settle([ticket], .failure(.nothingLoaded(for: command))) }
            isPlaying = command == .play
            anchor(at: hasEnded && isPlaying ? .zero : position, runs: isPlaying)
            if !hasEnded || isPlaying { phase = isPlaying ? .playing : .paused }
        case .seek(let target):
            guard let item else { return settle([ticket], .failure(.nothingLoaded(for: command))) }
            anchor(at: target, runs: isPlaying)
            command = .seek(to: item.within(target))
            if hasEnded { phase = .paused }
        case .progress(let position):
            guard let item else { return settle([ticket], .success(())) }
            anchor(at: position, runs: isPlaying)
            tellFollowers(.progress(item.within(position)))
            return settle([ticket], .success(()))
        case .stop:
            forgetItem()
        }
        let overtaken =
            transit != nil
            ? transit?.held.push(command, ticket, hasEnded: hasEnded)
            : devices[place]?.queue.push(command, ticket, hasEnded: hasEnded)
        settle(overtaken ?? [], .failure(.overtaken))
        tellFollowers(command, hasEnded: hasEnded)
    }

    mutating func forgetItem() {
        (item, isPlaying, phase, anchor) = (nil, false, .idle, Anchor())
        if engineRests { _ = devices[.engine]?.queue.push(.stop) }
        engineRests = false
    }

    /// - Parameter screen: the destination; nil for the engine.
    mutating func transfer(to screen: (any Screen)?, _ ticket: Ticket) {
        guard !isClosed else { return settle([ticket], .failure(.closed)) }
        let destination = screen.map { Place.screen(id: $0.id) } ?? .engine
        if let screen { know(screen) }
        // A second request for the same place joins the first one. It would otherwise supersede it.
        if destination == heading {
            if candidate != nil {
                candidate?.tickets.append(ticket)
            } else if transit != nil || !arrivals.isEmpty {
                arrivals.append(ticket)
            } else {
                settle([ticket], .success(()))
            }
            return
        }
        // A new request makes the last loss history.
        returned = nil
        if let overtaken = candidate { settle(overtaken.tickets, .failure(.overtaken)) }
        candidate = nil
        // Their destination is no longer the heading, so they would wait for an arrival that never
        // comes.
        arrived(.failure(.overtaken))
        if transit == nil, destination == place {
            settle([ticket], .success(()))
        } else if devices[destination]?.isConnected == true {
            head(for: destination, [ticket])
        } else {
            // Until that screen is connected, a session in transit goes to the engine.
            transit?.destination = .engine
            candidate = (destination, [ticket])
        }
    }

    mutating func know(_ screen: any Screen) {
        let place = Place.screen(id: screen.id)
        guard devices[place] == nil else {
            devices[place]?.found(screen)
            return
        }
        devices[place] = Device(screen)
        order.append(place)
    }

    /// Brings the session to a connected place.
    mutating func head(for destination: Place, _ tickets: [Ticket]) {
        arrivals = tickets
        if transit != nil { transit?.destination = destination } else { beginTransit(to: destination) }
    }

    /// Takes the session from its place, which is paused or stopped.
    mutating func beginTransit(to destination: Place) {
        let position = position
        var transit = Transfer(destination: destination)
        // Read before the queue is cleared, which makes every place look quiet.
        let isIdle = devices[place]?.isQuiet != false
        // Commands that were not sent stay unsent: the session's state has their effect already.
        let tickets = devices[place]?.queue.clear() ?? []
        if devices[place]?.isConnected == true, item != nil || !isIdle {
            _ = devices[place]?.queue.push(place == .engine && item != nil ? .pause : .stop)
        }
        if let item {
            engineRests = engineRests || place == .engine
            _ = transit.held.push(.load(item, at: position, playing: isPlaying))
            // The load carries out commands that were not sent yet, so their tickets join it.
            transit.held.join(tickets)
        } else {
            settle(tickets, .success(()))
        }
        devices[place]?.rests = true
        endSettling(place)
        isArriving = false
        anchor(at: position, runs: false)
        self.transit = transit
    }

    mutating func arriveIfQuiet() {
        // The old place is quiet only when it has answered its pause or stop. Before that both
        // places could play.
        guard let transit, devices[place]?.isQuiet != false else { return }
        // Before the anchor is set below: in transit it would not run.
        self.transit = nil
        if transit.destination == .engine { engineRests = false }
        place = transit.destination
        // Without an item the place keeps its pending commands, such as a stop.
        if !transit.held.isEmpty { devices[place]?.queue = transit.held }
        devices[place]?.rests = false
        anchor(at: position, runs: isPlaying)
        isArriving = item != nil
        guard !isArriving else { return }
        arrived(.success(()))
        // The place may play an item of its own.
        if hasNothingToDo(place) { adoptKnown(of: place) }
    }

    mutating func arrived(_ outcome: Ticket.Outcome) {
        settle(arrivals, outcome)
        arrivals = []
    }
}
