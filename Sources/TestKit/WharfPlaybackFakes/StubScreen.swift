internal import Synchronization
public import WharfFakes
public import WharfPlayback

/// A screen for tests without a network, which disappears and returns on demand.
///
/// ```swift
/// let lounge = StubScreen("lounge")
/// try await playback.transfer(to: lounge)
/// lounge.vanish()
/// for await state in playback.states() where state.returned != nil { break }
/// ```
public final class StubScreen: Screen {
    private final class Connection: Sendable {
        let feed: StateFeed<PlaybackState>
        let end = Gate()

        init(_ feed: StateFeed<PlaybackState>) { self.feed = feed }
    }

    private struct Content {
        var isThere = true
        var connecting: Gate?
        /// A gate that opens when the screen disappears.
        var leaving = Gate()
        var connection: Connection?
        var loss: PlaybackError?
        var connects = 0

        /// Drops the connection.
        ///
        /// - Returns: the connection to end.
        mutating func lose(_ error: PlaybackError) -> Connection? {
            defer { connection = nil }
            if connection != nil { loss = error }
            return connection
        }
    }

    public let id: String
    public let name: String
    /// The player in the other room. It plays on when no sender is connected.
    public let device: StubPlayer
    // There is no connection unless `isThere`. `leaving` opens when the screen vanishes, and each
    // return of the screen has a new one.
    private let content = Mutex(Content())

    /// Creates a screen.
    ///
    /// - Parameter device: the player. Two screens with one player act as one device seen twice.
    public init(_ id: String, name: String? = nil, device: StubPlayer = StubPlayer()) {
        self.id = id
        self.name = name ?? id
        self.device = device
    }

    /// Whether a sender is connected.
    public var isConnected: Bool { content.withLock { $0.connection != nil } }

    /// The number of calls of ``connect()``.
    public var connects: Int { content.withLock { $0.connects } }

    public var loss: PlaybackError? { content.withLock { $0.loss } }

    /// Makes ``connect()`` wait at a gate; nil for no gate.
    public func hold(connectingAt gate: Gate?) { content.withLock { $0.connecting = gate } }

    /// Makes the screen unreachable until ``comeBack()``.
    ///
    /// An existing connection is lost, and running and later calls of ``connect()`` fail.
    public func vanish() {
        let (leaving, connection) = content.withLock { content in
            content.isThere = false
            return (content.leaving, content.lose(.gone(name)))
        }
        // Without the lock, like `end`: both resume tasks that may call back.
        leaving.open()
        if let connection { end(connection) }
    }

    /// Ends the connection as if another sender had taken the screen over.
    ///
    /// The ``loss`` is `refused`, and the device plays on.
    public func takeOver() {
        if let connection = content.withLock({ $0.lose(.takenOver(name)) }) { end(connection) }
    }

    /// Makes the screen reachable again after ``vanish()``.
    public func comeBack() {
        content.withLock { content in
            guard !content.isThere else { return }
            content.isThere = true
            content.leaving = Gate()
        }
    }

    public func connect() async throws(PlaybackError) {
        let (gate, leaving) = content.withLock { content in
            content.connects += 1
            return (content.connecting, content.leaving)
        }
        if let gate { await gate.pass(or: leaving) }
        guard !Task.isCancelled else { throw .cancelledByCaller }
        let feed = device.attach()
        let isConnected = content.withLock { content in
            // If the screen vanished and came back meanwhile, `isThere` alone would not show it.
            guard content.isThere, content.leaving === leaving else { return false }
            content.loss = nil
            // Another call has connected first, and its connection serves both.
            guard content.connection == nil else { return true }
            content.connection = Connection(feed)
            return true
        }
        if content.withLock({ $0.connection?.feed !== feed }) { device.detach(feed) }
        guard isConnected else { throw .gone(name) }
    }

    public func disconnect() async {
        let connection = content.withLock { content in
            defer { content.connection = nil }
            return content.connection
        }
        if let connection { end(connection) }
    }

    private func end(_ connection: Connection) {
        device.detach(connection.feed)
        connection.end.open()
    }

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard let connection = content.withLock({ $0.connection }) else { throw .notConnected(name) }
        let outcome = await withTaskGroup(of: Result<Void, PlaybackError>.self) { group in
            group.addTask { [device, name] in
                do throws(PlaybackError) { return .success(try await device.perform(command)) } catch {
                    // Cancelled because the connection has ended, or because the caller is
                    // cancelled.
                    return .failure(error.code == .cancelled ? .gone(name) : error)
                }
            }
            group.addTask { [name] in
                await connection.end.pass()
                return .failure(.gone(name))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(())
        }
        guard !Task.isCancelled else { throw .cancelledByCaller }
        try outcome.get()
    }

    public func states() -> AsyncStream<PlaybackState> {
        content.withLock { $0.connection }?.feed.states() ?? AsyncStream { $0.finish() }
    }
}

extension PlaybackError {
    fileprivate static func gone(_ name: String) -> PlaybackError {
        PlaybackError(.disconnected, "\(name) does not answer: it has disappeared (scripted)")
    }

    fileprivate static func takenOver(_ name: String) -> PlaybackError {
        PlaybackError(.refused, "another sender has taken \(name) over (scripted)")
    }

    fileprivate static func notConnected(_ name: String) -> PlaybackError {
        PlaybackError(.disconnected, "\(name) is not connected; connect it first")
    }
}

extension Gate {
    /// Waits until either gate is open or the task is cancelled.
    func pass(or other: Gate) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.pass() }
            group.addTask { await other.pass() }
            await group.next()
            group.cancelAll()
        }
    }
}
