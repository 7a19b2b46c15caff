internal import Synchronization
internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// One session with a receiver, from its first state to its end.
final class ScreenConnection: Sendable {
    private struct Content {
        /// Of the last command that was sent.
        var sent = 0
        /// Of the last command that was taken: states of before it are old.
        var taken = 0
        var reader: Task<Void, Never>?
        var hasBegun = false
        var isOver = false
        var loss: PlaybackError?
    }

    let feed = StateFeed(PlaybackState.idle)
    let session: Int
    let address: ScreenAddress
    let network: ScreenNetwork
    let name: String
    private let begun = Seats()
    private let over = Seats()
    private let content = Mutex(Content())
    private let onEnd: @Sendable (ScreenConnection, PlaybackError?) -> Void

    init(
        session: Int, _ address: ScreenAddress, _ network: ScreenNetwork, _ name: String,
        onEnd: @escaping @Sendable (ScreenConnection, PlaybackError?) -> Void
    ) {
        (self.session, self.address, self.network, self.name, self.onEnd) = (session, address, network, name, onEnd)
    }

    deinit { content.withLock { $0.reader }?.cancel() }

    var isOver: Bool { content.withLock { $0.isOver } }
    var path: String { "/session/\(session)" }

    /// Returns with the first state.
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
        let hasBegun = await begun.wait(in: Seats.first) {}
        guard hasBegun else { throw .cancelledByCaller }
        if content.withLock({ $0.isOver }) {
            throw content.withLock { $0.loss }
                ?? PlaybackError(.disconnected, "expected a state of \(name), and it let go of the session")
        }
    }

    private func take(_ event: ServerSentEvent) throws(PlaybackError) {
        switch event.type {
        case "state":
            let message = try ScreenNetwork.read(ScreenMessage.State.self, Array(event.data.utf8))
            let isNew = content.withLock { message.sequence >= $0.taken && !$0.isOver }
            if isNew { feed.update(message.state) }
            begin()
        case "end": throw try ScreenNetwork.read(ScreenMessage.Failure.self, Array(event.data.utf8)).error
        // Of a later version of the protocol.
        default: break
        }
    }

    /// Lets whoever connects go on, once.
    private func begin() {
        let isFirst = content.withLock { content in
            defer { content.hasBegun = true }
            return !content.hasBegun
        }
        if isFirst { begun.land() }
    }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        let sequence = content.withLock { content in
            content.sent += 1
            return content.sent
        }
        let outcome = await withTaskGroup(of: Result<Void, PlaybackError>?.self) { group in
            group.addTask { [self] in
                do throws(PlaybackError) { return .success(try await send(command, sequence)) } catch {
                    return .failure(error)
                }
            }
            group.addTask { [over] in
                // Never everybody leaves: the first seat is the connection's own.
                if let seat = over.take() { _ = await over.wait(in: seat) {} }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard !Task.isCancelled else { throw .cancelledByCaller }
        guard let outcome else {
            throw content.withLock { $0.loss } ?? PlaybackError(.disconnected, "\(name) was let go of meanwhile")
        }
        if case .failure(let error) = outcome, error.code == .disconnected { end(error) }
        try outcome.get()
    }

    private func send(_ command: PlaybackCommand, _ sequence: Int) async throws(PlaybackError) {
        let bytes: [UInt8]
        do throws(JSONError) {
            bytes = try JSON.encode(ScreenMessage.Command(sequence: sequence, command: command))
        } catch {
            throw PlaybackError(.malformed, "the command can't be written: \(error.message)", cause: error)
        }
        let answer = try await network.sendAgain(
            address.request(.post, path + "/commands", bytes, timeout: network.timeout))
        guard (200..<300).contains(answer.status.code) else { throw .init(answer, for: "the command to be taken") }
        content.withLock { $0.taken = max($0.taken, sequence) }
    }

    /// Ends the session here.
    ///
    /// - Parameter error: why it was lost; nil where it was let go of.
    func end(_ error: PlaybackError?) {
        let reader = content.withLock { content -> Task<Void, Never>?? in
            guard !content.isOver else { return nil }
            content.isOver = true
            content.loss = error
            return .some(content.reader)
        }
        guard let reader else { return }
        reader?.cancel()
        onEnd(self, error)
        begin()
        over.land()
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
