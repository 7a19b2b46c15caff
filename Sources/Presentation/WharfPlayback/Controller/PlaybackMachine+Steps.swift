/// The steps of devices. Each device has its own sequence, so a slow one delays no other.
extension PlaybackMachine {
    func isWanted(_ place: Place) -> Bool {
        if isClosed { return false }
        if place == .engine || candidate?.place == place { return true }
        if let transit { if transit.destination == place { return true } } else if self.place == place { return true }
        guard let device = devices[place] else { return false }
        return device.receives != nil && !device.isBroken
    }

    /// Starts the next step of a device if none is running.
    mutating func proceed(_ place: Place) {
        guard var device = devices[place] else { return }
        defer { devices[place] = device }
        let isWanted = isWanted(place)
        if let busy = device.busy {
            // A connection attempt may take long. It is cancelled once, and its answer is still
            // awaited.
            if case .connect(isCancelled: false) = busy.work, !isWanted {
                device.busy?.work = .connect(isCancelled: true)
                act(.cancel(step: busy.step))
            }
            return
        }
        guard case .connected(let link) = device.link else {
            guard isWanted else { return }
            // Between two connections: commands of one connection go to one instance.
            _ = device.takeNewer()
            let step = number()
            device.busy = (step, .connect(isCancelled: false))
            act(.connect(place, step: step))
            return
        }
        if let entry = device.queue.next() {
            let step = number()
            device.busy = (step, .command(entry))
            act(.perform(place, entry.command, step: step))
        } else if !isWanted {
            letGo(of: &device, at: place, link)
        }
    }

    /// Handles the end of a step. The answer to an abandoned step is ignored.
    ///
    /// - Parameter loss: the screen's ``Screen/loss``, if it is disconnected.
    mutating func finished(_ step: Int, of place: Place, _ outcome: Ticket.Outcome, loss: PlaybackError? = nil) {
        // After a timeout the late answer finds another step, or none.
        guard let busy = devices[place]?.busy, busy.step == step else { return }
        devices[place]?.busy = nil
        act(.forget(step: step))
        switch busy.work {
        case .connect(let isCancelled): connected(place, wasCancelled: isCancelled, outcome)
        case .command(let entry): performed(entry, step, by: place, outcome, loss)
        case .disconnect: break
        }
    }

    private mutating func connected(_ place: Place, wasCancelled: Bool, _ outcome: Ticket.Outcome) {
        switch outcome {
        case .success:
            let link = number()
            devices[place]?.link = .connected(link)
            act(.read(place, link: link))
            if let candidate, candidate.place == place {
                self.candidate = nil
                head(for: place, candidate.tickets)
            } else {
                showEverything(to: place)
            }
        case .failure(let error):
            // If the screen is wanted again by now, `proceed` connects it again.
            if wasCancelled { return }
            // A newer instance of the screen was found meanwhile, and is tried next.
            if devices[place]?.takeNewer() == true { return }
            devices[place]?.count(error)
            devices[place]?.isBroken = true
            guard let candidate, candidate.place == place else { return }
            self.candidate = nil
            noteReturn(from: place, error)
            settle(candidate.tickets, .failure(error))
        }
    }

    private mutating func performed(
        _ entry: CommandQueue.Entry, _ step: Int, by place: Place, _ outcome: Ticket.Outcome, _ loss: PlaybackError?
    ) {
        settle(entry.tickets, outcome)
        let isHere = place == self.place && transit == nil
        switch outcome {
        case .success:
            let isDone = devices[place]?.queue.isEmpty == true
            let stillFits = isHere && isDone && settle(place)
            let number = number()
            devices[place]?.took(entry.command, step: step, number: number, stillFits: stillFits, now: now)
            guard isHere else { return }
            // This command belongs to the time before the arrival: the load of the session's item
            // is still pending.
            if isArriving, devices[place]?.queue.changesItem == true { return }
            if case .load = entry.command { isArriving = false } else if isDone { isArriving = false }
            if !isArriving { arrived(.success(())) }
        case .failure(let error):
            devices[place]?.count(error)
            // The command may have taken effect. Until the player reports, its state is not
            // certain.
            if error.code == .timedOut {
                let number = number()
                devices[place]?.kept(silentAt: number)
            }
            if place != .engine, error.code == .disconnected {
                lose(place, loss ?? error)
            } else if place == self.place, transit != nil {
                stays(place, error)
            } else if isHere, devices[place]?.queue.changesItem == true {
                return
            } else if isHere, place != .engine, isArriving {
                arrived(.failure(error))
                noteReturn(from: place, error)
                beginTransit(to: .engine)
            } else if isHere {
                isArriving = false
                arrived(.failure(error))
                fallBack(to: place)
            }
        }
    }
}
