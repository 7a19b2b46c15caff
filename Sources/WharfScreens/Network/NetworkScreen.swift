internal import Synchronization
public import WharfCore
internal import WharfJSON
public import WharfPlayback
internal import WharfPrimitives

/// A screen on the network that speaks Wharf's own protocol: commands are sent as JSON, and what
/// the screen does comes back as Server-Sent Events. The article "Second screens" describes the
/// protocol; ``ScreenReceiver`` is the other end.
///
/// ```swift
/// let lounge = try NetworkScreen(id: "lounge", name: "Lounge", at: "http://192.0.2.7:8080/screen", transport: PlatformTransport())
/// try await playback.transfer(to: lounge)
/// ```
///
/// Where the stream of events breaks it is asked for again, with pauses, from where it broke. The
/// screen is lost when that does not help, when nothing is heard of it for `silence`, and when
/// another sender takes it over: ``loss`` is `refused` then, else `disconnected`.
public final class NetworkScreen: Screen {
    /// Why those that connected together are not connected.
    private struct Failure: Error {
        var error: PlaybackError
        /// Of the one who began: it is none of those that came behind a later farewell.
        var farewells: Int
    }

    public let id: String
    public let name: String
    let address: ScreenAddress
    let network: ScreenNetwork
    let held = Mutex(HeldConnection())
    /// Two who connect at once would open two sessions, of which the receiver keeps one.
    private let connecting = SingleFlight<String, Result<Void, Failure>>()

    /// - Parameters:
    ///   - url: of the receiver, absolute, without a query.
    ///   - timeout: how long one request may take, and the first state.
    ///   - silence: how long nothing may be heard; several times the receiver's heartbeat.
    ///   - retry: how often and after what pauses the events are asked for again, and a command is
    ///     sent again of which nobody knows whether it arrived. The receiver takes each command
    ///     once.
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
            random: SharedRandom(random))
    }

    deinit { held.withLock { $0.connection }?.end(nil) }

    public var loss: PlaybackError? { held.withLock { $0.loss } }

    /// Commands that are on their way.
    var underWay: Int { held.withLock { $0.connection }?.underWay ?? 0 }

    // MARK: Connections

    public func connect() async throws(PlaybackError) {
        let farewells = held.withLock { $0.arrive() }
        var isConnected = false
        // Who has left may have been the only one that wanted it.
        defer { if let unwanted = held.withLock({ $0.leave(isConnected: isConnected) }) { letGo(of: unwanted) } }
        while !isConnected {
            let outcome: Result<Void, Failure>
            do throws(CancellationError) {
                outcome = try await connecting.run(id) { [self] close in
                    do throws(PlaybackError) { return .success(try await open(of: farewells, close)) } catch {
                        let wasLetGo = held.withLock { $0.farewells } != farewells
                        return .failure(Failure(error: wasLetGo ? .wasLetGo(name) : error, farewells: farewells))
                    }
                }
            } catch {
                throw .cancelledByCaller
            }
            do throws(Failure) {
                try outcome.get()
                isConnected = true
            } catch {
                if error.farewells >= farewells { throw error.error }
            }
        }
    }

    /// One at a time, for all who connect.
    ///
    /// - Parameter close: called when nobody may join any more.
    private func open(of farewells: Int, _ close: @Sendable () -> Void) async throws(PlaybackError) {
        let opening = try held.withLock { held throws(PlaybackError) in
            // Who has left begins nothing in the place of somebody who came behind.
            if Task.isCancelled { throw .cancelledByCaller }
            return try held.begin(of: farewells, name) { Task { await openSession() } }
        }
        guard let opening else { return }
        let outcome = await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }
        held.withLock { $0.ended(opening) }
        let connection = try outcome.get()
        do throws(PlaybackError) {
            try held.withLock { held throws(PlaybackError) in
                if Task.isCancelled { throw .cancelledByCaller }
                try held.keep(connection, of: farewells, name)
                // In one step with it: who lets go of this connection and connects again must not
                // be given this answer.
                close()
            }
        } catch {
            letGo(of: connection)
            throw error
        }
    }

    private func openSession() async -> Result<ScreenConnection, PlaybackError> {
        do throws(PlaybackError) {
            if Task.isCancelled { throw .cancelledByCaller }
            let request = address.request(.post, "/session", Array("{}".utf8), timeout: network.timeout)
            let opened = try network.read(
                ScreenMessage.Session.self, from: try await network.send(request), for: "a session")
            guard opened.isWellFormed else {
                throw PlaybackError(
                    .malformed,
                    "expected a session of up to 128 letters, digits, - and _, and \(name) gave \"\(opened.session.prefix(150))\""
                )
            }
            let connection = ScreenConnection(session: opened.session, address, network, name) { [weak self] in
                self?.lost($0, $1)
            }
            do throws(PlaybackError) { try await connection.open() } catch {
                letGo(of: connection)
                throw error
            }
            return .success(connection)
        } catch {
            return .failure(error)
        }
    }

    private func lost(_ connection: ScreenConnection, _ error: PlaybackError?) {
        held.withLock { $0.lost(connection, error) }
    }

    /// Nobody waits for the farewell, the less so where it is late or the caller has left. It ends
    /// with its timeout.
    private func letGo(of connection: ScreenConnection) {
        connection.end(nil)
        Task { await connection.sayGoodbye() }
    }

    public func disconnect() async {
        let (connection, opening) = held.withLock { $0.letGo() }
        opening?.cancel()
        // A session that was still opened behind this would take the screen from another sender.
        _ = await opening?.value
        guard let connection else { return }
        connection.end(nil)
        await connection.sayGoodbye()
    }

    // MARK: Playing

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard let connection = held.withLock({ $0.connection }) else {
            throw PlaybackError(
                .disconnected, "expected a connection with \(name), but there is none; connect it first")
        }
        try await connection.perform(command)
    }

    public func states() -> AsyncStream<PlaybackState> {
        held.withLock { $0.connection }?.feed.states() ?? AsyncStream { $0.finish() }
    }
}

extension PlaybackError {
    static let cancelledByCaller = PlaybackError(.cancelled, "the calling task was cancelled")
}
