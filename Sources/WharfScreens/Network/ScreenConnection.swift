internal import Synchronization
internal import WharfCore
internal import WharfPlayback
internal import WharfPrimitives

/// One session with a receiver, from its first state to its end.
final class ScreenConnection: Sendable {
    private struct Content {
        /// Of the last command that was sent.
        var sent = 0
        /// Of the last command of which it is known here what came of it: states of before it are
        /// old.
        var taken = 0
        /// Those that are on their way, by their number.
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

    /// - Parameter onEnd: called once, with why it was lost; nil where it was let go of.
    init(
        session: String, _ address: ScreenAddress, _ network: ScreenNetwork, _ name: String,
        onEnd: @escaping @Sendable (ScreenConnection, PlaybackError?) -> Void
    ) {
        (self.address, self.network, self.name, self.onEnd) = (address, network, name, onEnd)
        path = "/session/\(session)"
    }

    deinit { content.withLock { $0.reader }?.cancel() }

    var isOver: Bool { content.withLock { $0.isOver } }

    /// Commands that are on their way.
    var underWay: Int { content.withLock { $0.commands.count } }

    /// Why there is no connection any more.
    var loss: PlaybackError {
        content.withLock { $0.loss } ?? PlaybackError(.disconnected, "\(name) was let go of meanwhile")
    }

    // MARK: Its beginning

    /// Returns with the first state. Called once.
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
        // It was let go of meanwhile.
        if isOver { reader.cancel() }
        guard await hasBegunInTime() else {
            if Task.isCancelled { throw .cancelledByCaller }
            throw PlaybackError(
                .timedOut,
                "expected \(name) to tell its state within \(network.timeout), and it did not; connect it again")
        }
        if self.isOver { throw loss }
    }

    private func hasBegunInTime() async -> Bool {
        let deadline = Deadline(after: network.timeout, on: network.clock)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { [begun] in await begun.waitUnlessCancelled() != nil }
            group.addTask {
                // Cancelled with the caller, or because it has begun.
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
            content.withLock { if message.sequence >= $0.taken { tell(message, &$0) } }
            begin()
        case "end": throw try ScreenNetwork.read(ScreenMessage.Failure.self, Array(event.data.utf8)).loss
        // Of a later version of the protocol.
        default: break
        }
    }

    /// Under the lock, so that nothing comes between the look and the word.
    private func tell(_ message: ScreenMessage.State, _ content: inout Content) {
        guard !content.isOver else { return }
        content.taken = message.sequence
        feed.update(message.state)
    }

    /// Lets the caller of ``open()`` go on. The first call counts.
    private func begin() { begun.fulfil() }

    // MARK: Commands

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        let begun = content.withLock { content -> (Int, Task<CommandOutcome, Never>)? in
            guard !content.isOver else { return nil }
            content.sent += 1
            let sequence = content.sent
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
            // An event may have said so before, and then it may have said more.
            if case .taken(let message) = outcome, sequence > content.taken { tell(message, &content) }
        }
        guard !Task.isCancelled else { throw .cancelledByCaller }
        switch outcome {
        case .taken: return
        // What ends the connection ends its commands.
        case .refused(let error): throw isOver ? lost : error
        case .over(let error):
            end(error)
            throw lost
        }
    }

    /// A command finds nobody, whoever may have taken the screen over.
    private var lost: PlaybackError {
        let loss = loss
        if loss.code == .disconnected { return loss }
        return PlaybackError(.disconnected, "the command found no session: \(loss.message)", cause: loss)
    }

    // MARK: Its end

    /// Ends the session here.
    ///
    /// - Parameter error: why it was lost; nil where it was let go of.
    func end(_ error: PlaybackError?) {
        let tasks = content.withLock { content -> (Task<Void, Never>?, [Task<CommandOutcome, Never>])? in
            guard !content.isOver else { return nil }
            content.isOver = true
            content.loss = error
            return (content.reader, Array(content.commands.values))
        }
        guard let (reader, commands) = tasks else { return }
        reader?.cancel()
        for command in commands { command.cancel() }
        onEnd(self, error)
        begin()
        feed.finish()
    }

    /// Tells the receiver that nobody listens any more.
    func sayGoodbye() async {
        do throws(PlaybackError) {
            _ = try await network.send(address.request(.delete, path, timeout: network.timeout))
        } catch {
            // It finds out by itself: the next session ends this one.
            return
        }
    }
}
