internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

extension Playback {
    /// Tasks to cancel and tickets to settle after the lock has been released.
    struct Ending {
        var tasks: [Task<Void, Never>] = []
        var settled: [([Ticket], Ticket.Outcome)] = []
    }

    /// Starts the actions. No task runs under the lock, because the executor must not run jobs
    /// inside of `enqueue`.
    func start(_ actions: [PlaybackMachine.Action], _ running: inout Running) -> Ending {
        var ending = Ending()
        for action in actions {
            switch action {
            case .connect(let place, let step):
                guard let screen = running.machine.devices[place]?.screen else { continue }
                // The task can't report its end before it is recorded here: `change` waits for the
                // lock that this call holds.
                running.steps[step] = begin(step, place) { () throws(PlaybackError) in try await screen.connect() }
            case .perform(let place, let command, let step):
                guard let device = running.machine.devices[place] else { continue }
                running.steps[step] = begin(step, place, device.screen) {
                    [player = device.player] () throws(PlaybackError) in
                    try await player.perform(command)
                }
            case .disconnect(let place, let step):
                guard let screen = running.machine.devices[place]?.screen else { continue }
                running.steps[step] = begin(step, place) { () throws(PlaybackError) in await screen.disconnect() }
            case .forget(let step): ending.tasks += running.steps.removeValue(forKey: step) ?? []
            // Only the work is cancelled. Its timeout stays, for a player that ignores the
            // cancellation.
            case .cancel(let step): ending.tasks += running.steps[step]?.prefix(1) ?? []
            case .read(let place, let link):
                guard let device = running.machine.devices[place] else { continue }
                running.readers[link] = read(device.player, device.screen, place, link)
            case .stopReading(let link):
                let tasks = [running.readers.removeValue(forKey: link), running.wakers.removeValue(forKey: link)]
                ending.tasks += tasks.compactMap(\.self)
            case .wake(let place, let link, let time):
                // One wake-up for each connection: an earlier one would end the settling time of a
                // later command.
                let before = running.wakers.updateValue(wake(place, link, after: time), forKey: link)
                ending.tasks += [before].compactMap(\.self)
            case .cancelWake(let link): ending.tasks += [running.wakers.removeValue(forKey: link)].compactMap(\.self)
            case .settle(let tickets, let outcome): ending.settled.append((tickets, outcome))
            }
        }
        return ending
    }

    /// Starts a step with its timeout.
    ///
    /// - Parameter screen: the screen whose connection the step may lose.
    /// - Returns: the task of the step, and the task of its timeout.
    private func begin(
        _ step: Int, _ place: SessionState.Place, _ screen: (any Screen)? = nil,
        _ work: @escaping @Sendable () async throws(PlaybackError) -> Void
    ) -> [Task<Void, Never>] {
        let deadline = Deadline(after: timeout, on: clock)
        let worker = task { [weak self] in
            do throws(PlaybackError) {
                try await work()
                self?.change { $0.finished(step, of: place, .success(())) }
            } catch {
                let loss = error.code == .disconnected ? screen?.loss : nil
                self?.change { $0.finished(step, of: place, .failure(error), loss: loss) }
            }
        }
        let timer = task { [weak self, timeout] in
            // The wait is cancelled when the step ends.
            do { try await deadline.wait() } catch { return }
            let error = PlaybackError(
                .timedOut, "the player did not answer within \(timeout); check that it can be reached")
            self?.change { $0.finished(step, of: place, .failure(error)) }
        }
        return [worker, timer]
    }

    private func read(
        _ player: any Player, _ screen: (any Screen)?, _ place: SessionState.Place, _ link: Int
    ) -> Task<Void, Never> {
        task { [weak self] in
            for await state in player.states() { self?.change { $0.reported(state, by: place, link: link) } }
            // A reader that was stopped has lost nothing.
            if Task.isCancelled { return }
            let loss = screen?.loss
            self?.change { $0.ended(place, link: link, loss: loss) }
        }
    }

    private func wake(_ place: SessionState.Place, _ link: Int, after time: Duration) -> Task<Void, Never> {
        let deadline = Deadline(after: time, on: clock)
        return task { [weak self] in
            // The wait is cancelled when the player has settled before, or gets another command.
            do { try await deadline.wait() } catch { return }
            self?.change { $0.settled(place, link: link) }
        }
    }

    /// Starts a task that ``Playback/close()`` waits for.
    private func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // Before the task starts, so that `close()` can't find the group empty in between.
        tasks.enter()
        return Task(executorPreference: executor) { [tasks] in
            await work()
            tasks.leave()
        }
    }
}
