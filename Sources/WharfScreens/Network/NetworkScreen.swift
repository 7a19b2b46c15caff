internal import Synchronization
public import WharfCore
internal import WharfJSON
public import WharfPlayback

/// A screen on the network that speaks Wharf's own protocol: commands are sent as JSON, and what the screen does comes back as
/// Server-Sent Events. The article "Second screens" describes the protocol; ``ScreenReceiver`` is the other end.
///
/// ```swift
/// let lounge = try NetworkScreen(id: "lounge", name: "Lounge", at: "http://192.0.2.7:8080/screen", transport: URLSessionTransport())
/// try await playback.transfer(to: lounge)
/// ```
///
/// Where the stream of events breaks it is asked for again, with pauses, from where it broke. The screen is lost when that does not help,
/// when nothing is heard of it for `silence`, and when another sender takes it over: ``loss`` is `refused` then, else `disconnected`.
public final class NetworkScreen: Screen {
    private struct Content {
        var connection: ScreenConnection?
        var loss: PlaybackError?
        /// How often it was let go of: who connects meanwhile has been overtaken.
        var farewells = 0
    }

    public let id: String
    public let name: String
    let address: ScreenAddress
    let network: ScreenNetwork
    private let content = Mutex(Content())
    /// Two who connect at once would open two sessions, of which the receiver keeps one.
    private let connecting = SingleFlight<String, Result<Void, PlaybackError>>()

    /// - Parameters:
    ///   - url: of the receiver, absolute, without a query.
    ///   - timeout: how long one request may take, and the first state.
    ///   - silence: how long nothing may be heard; several times the receiver's heartbeat.
    ///   - retry: how often and after what pauses the events are asked for again, and a command is sent again of which nobody knows
    ///     whether it arrived. The receiver takes each command once.
    ///   - clock: measures all of these.
    ///   - random: for the jitter of the pauses.
    /// - Throws: `malformed` where the URL is none, or none of HTTP.
    public init(
        id: String, name: String, at url: String, transport: any Transport, timeout: Duration = .seconds(5),
        silence: Duration = .seconds(15), retry: RetryPolicy = RetryPolicy(attempts: 4, cap: .seconds(2)),
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(PlaybackError) {
        (self.id, self.name) = (id, name)
        address = try ScreenAddress(url)
        network = ScreenNetwork(
            transport: transport, timeout: timeout, silence: silence, retry: retry, clock: clock,
            random: ScreenRandom(random))
    }

    deinit { content.withLock { $0.connection }?.end(nil) }

    public var loss: PlaybackError? { content.withLock { $0.loss } }

    /// Commands that are on their way.
    var underWay: Int { content.withLock { $0.connection }?.underWay ?? 0 }

    // MARK: Connections

    public func connect() async throws(PlaybackError) {
        let outcome: Result<Void, PlaybackError>
        do throws(CancellationError) {
            outcome = try await connecting.run(id) { [self] close in
                do throws(PlaybackError) { return .success(try await open(close)) } catch { return .failure(error) }
            }
        } catch {
            throw .cancelledByCaller
        }
        try outcome.get()
    }

    /// One at a time, for all who connect.
    ///
    /// - Parameter close: called when nobody may join any more.
    private func open(_ close: @Sendable () -> Void) async throws(PlaybackError) {
        let (isConnected, farewells) = content.withLock { ($0.connection?.isOver == false, $0.farewells) }
        if isConnected { return }
        let connection = try await openSession()
        do throws(PlaybackError) {
            try await connection.open()
            try keep(connection, ifStill: farewells, close)
        } catch {
            connection.end(nil)
            // Nobody waits for it, the less so where it is late or the caller has left. It ends with its timeout.
            Task { await connection.sayGoodbye() }
            throw error
        }
    }

    private func openSession() async throws(PlaybackError) -> ScreenConnection {
        let request = address.request(.post, "/session", Array("{}".utf8), timeout: network.timeout)
        let opened = try network.read(
            ScreenMessage.Session.self, from: try await network.send(request), for: "a session")
        guard opened.isWellFormed else {
            throw PlaybackError(
                .malformed,
                "expected a session of up to 128 letters, digits, - and _, and \(name) gave \"\(opened.session.prefix(150))\""
            )
        }
        return ScreenConnection(session: opened.session, address, network, name) { [weak self] ended, error in
            self?.content.withLock { content in
                guard content.connection === ended else { return }
                content.connection = nil
                content.loss = error
            }
        }
    }

    private func keep(
        _ connection: ScreenConnection, ifStill farewells: Int, _ close: () -> Void
    ) throws(PlaybackError) {
        let isWanted = content.withLock { content in
            guard !Task.isCancelled, content.farewells == farewells else { return false }
            (content.connection, content.loss) = (connection, nil)
            // In one step with it: who lets go of this connection and connects again must not be given this answer.
            close()
            return true
        }
        if Task.isCancelled { throw .cancelledByCaller }
        guard isWanted else {
            throw PlaybackError(.disconnected, "\(name) was let go of while it was being connected")
        }
        // It may have ended before it was here, and said so to nobody.
        guard connection.isOver else { return }
        content.withLock { content in
            if content.connection === connection { (content.connection, content.loss) = (nil, connection.loss) }
        }
        throw connection.loss
    }

    public func disconnect() async {
        let connection = content.withLock { content in
            defer { (content.connection, content.loss) = (nil, nil) }
            content.farewells += 1
            return content.connection
        }
        guard let connection else { return }
        connection.end(nil)
        await connection.sayGoodbye()
    }

    // MARK: Playing

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard let connection = content.withLock({ $0.connection }) else {
            throw PlaybackError(
                .disconnected, "expected a connection with \(name), but there is none; connect it first")
        }
        try await connection.perform(command)
    }

    public func states() -> AsyncStream<PlaybackState> {
        content.withLock { $0.connection }?.feed.states() ?? AsyncStream { $0.finish() }
    }
}

extension PlaybackError {
    static let cancelledByCaller = PlaybackError(.cancelled, "the calling task was cancelled")
}
