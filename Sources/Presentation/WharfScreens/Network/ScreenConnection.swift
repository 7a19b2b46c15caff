internal import Synchronization
internal import WharfCore
internal import WharfPlayback
internal import WharfPrimitives

/// One session with a receiver, from its first state to its end.
final class ScreenConnection: Sendable {
    private struct Content {
        // Invariants when the lock is free:
        // - `taken` never decreases, so no older state replaces a newer one.
        // - Each command in flight is in `commands`, so `end` cancels it.
        // - After `isOver`, no command begins and no state is shown.
        /// The sequence number of the last sent command.
        var sent = 0
        /// The sequence number of the last command whose outcome is known. States with a lower
        /// number are outdated.
        var taken = 0
        /// The commands in flight, by their sequence numbers.
        var commands: [Int: Task<CommandOutcome, Never>] = [:]
        var reader: Task<Void, Never>?
        var isOver = false
        var loss: PlaybackError?
    }

    let feed = StateFeed(PlaybackState.idle)
    let address: ScreenAddress
    let network: ScreenNetwork
    let name: String
    private let path: String
    private let begun = Promise<Void>()
    private let content = Mutex(Content())
    private let onEnd: @Sendable (ScreenConnection, PlaybackError?) -> Void

    /// - Parameter onEnd: called once at the end, with the reason of a loss; nil after a
    ///   disconnect.
    init(
        session: String, _ address: ScreenAddress, _ network: ScreenNetwork, _ name: String,
        onEnd: @escaping @Sendable (ScreenConnection, PlaybackError?) -> Void
    ) {
        (self.address, self.network, self.name, self.onEnd) = (address, network, name, onEnd)
        path = "/session/\(session)"
    }

    deinit { content.withLock { $0.reader }?.cancel() }

    var isOver: Bool { content.withLock { $0.isOver } }

    /// The number of commands in flight.
    var underWay: Int { content.withLock { $0.commands.count } }

    /// The reason why the session has ended.
    var loss: PlaybackError {
        content.withLock { $0.loss } ?? PlaybackError(.disconnected, "\(name) was disconnected meanwhile")
    }

    // MARK: Its beginning

    /// Opens the stream of events, and returns with the first state. Called once.
    func open() async throws(PlaybackError) {
        let reader = Task { [weak self, network, path, address, name] in
            let events = ScreenEvents(network: network, address: address, path: path, name: name)
            let error = await events.read { event throws(PlaybackError) in try self?.take(event) }
            self?.end(error)
        }
        let isOver = content.withLock { content in
            content.reader = reader
            return content.isOver
        }
        // The session was ended before its reader was stored.
        if isOver { reader.cancel() }
        guard await hasBegunInTime() else {
            if Task.isCancelled { throw .cancelledByCaller }
            throw PlaybackError(
                .timedOut,
                "\(name) did not report its state within \(network.timeout); connect it again")
        }
        // `end` fulfils `begun` too, so that this call does not wait for a state that never comes.
        if self.isOver { throw loss }
    }

    private func hasBegunInTime() async -> Bool {
        let deadline = Deadline(after: network.timeout, on: network.clock)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { [begun] in await begun.waitUnlessCancelled() != nil }
            group.addTask {
                // The wait is cancelled with the caller, or because the first state has come.
                do { try await deadline.wait() } catch { return false }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func take(_ event: ServerSentEvent) throws(PlaybackError) {
        switch event.type {
        case "state":
            let message = try ScreenNetwork.read(ScreenMessage.State.self, Array(event.data.utf8))
            // A state from before the last answer would undo a command for the observers.
            content.withLock { if message.sequence >= $0.taken { tell(message, &$0) } }
            begin()
        case "end": throw try ScreenNetwork.read(ScreenMessage.Failure.self, Array(event.data.utf8)).loss
        // Events of a later version of the protocol are ignored.
        default: break
        }
    }

    /// Updates the state under the lock.
    ///
    /// No other state may come between the caller's check and the update.
    private func tell(_ message: ScreenMessage.State, _ content: inout Content) {
        guard !content.isOver else { return }
        content.taken = message.sequence
        feed.update(message.state)
    }

    /// Resumes the caller of ``open()``. Only the first call has an effect.
    private func begin() { begun.fulfil() }

    // MARK: Commands

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        let begun = content.withLock { content -> (Int, Task<CommandOutcome, Never>)? in
            guard !content.isOver else { return nil }
            content.sent += 1
            let sequence = content.sent
            // Number and task in one critical section, so that `end` finds each task that it has to
            // cancel.
            let task = Task { await network.send(command, sequence, to: address, path + "/commands") }
            content.commands[sequence] = task
            return (sequence, task)
        }
        guard let (sequence, task) = begun else { throw lost }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        content.withLock { content in
            content.commands[sequence] = nil
            // An event may have reported this command before, and a later state with it.
            if case .taken(let message) = outcome, sequence > content.taken { tell(message, &content) }
        }
        guard !Task.isCancelled else { throw .cancelledByCaller }
        switch outcome {
        case .taken: return
        // The end of the session cancels its commands, so the loss is their actual error.
        case .refused(let error): throw isOver ? lost : error
        case .over(let error):
            end(error)
            throw lost
        }
    }

    /// The error of a command without a session.
    ///
    /// It is always `disconnected`, even after a takeover.
    private var lost: PlaybackError {
        let loss = loss
        if loss.code == .disconnected { return loss }
        return PlaybackError(.disconnected, "the command has no session: \(loss.message)", cause: loss)
    }

    // MARK: Its end

    /// Ends the session on this side.
    ///
    /// - Parameter error: the reason of the loss; nil for a disconnect.
    func end(_ error: PlaybackError?) {
        let tasks = content.withLock { content -> (Task<Void, Never>?, [Task<CommandOutcome, Never>])? in
            guard !content.isOver else { return nil }
            content.isOver = true
            // The first reason counts: ending the session makes further errors.
            content.loss = error
            return (content.reader, Array(content.commands.values))
        }
        guard let (reader, commands) = tasks else { return }
        reader?.cancel()
        for command in commands { command.cancel() }
        // Before the feed finishes: a reader asks for the loss as soon as its sequence ends.
        onEnd(self, error)
        begin()
        feed.finish()
    }

    /// Tells the receiver that the session is over.
    func sendClose() async {
        do throws(PlaybackError) {
            _ = try await network.send(address.request(.delete, path, timeout: network.timeout))
        } catch {
            // The receiver ends the session by itself when the next one opens.
            return
        }
    }
}
