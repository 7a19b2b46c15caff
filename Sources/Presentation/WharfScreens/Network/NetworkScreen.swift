internal import Synchronization
public import WharfCore
internal import WharfJSON
public import WharfPlayback
internal import WharfPrimitives

/// A screen on the network that speaks Wharf's own protocol.
///
/// Commands are sent as JSON. States come back as Server-Sent Events. The article "Second screens"
/// describes the protocol, and ``ScreenReceiver`` is the other end.
///
/// ```swift
/// let lounge = try NetworkScreen(id: "lounge", name: "Lounge", at: "http://192.0.2.7:8080/screen", transport: PlatformTransport())
/// try await playback.transfer(to: lounge)
/// ```
///
/// If the stream of events breaks, it is resumed from the last event, with backoff. The screen is
/// lost in three cases:
///
/// - Resuming fails.
/// - No byte arrives for ``Configuration/silence``.
/// - Another sender takes the screen over. Only then ``loss`` is `refused`, otherwise it is
///   `disconnected`.
public final class NetworkScreen: Screen {
    /// The error that all callers of one shared connection attempt get.
    private struct Failure: Error {
        var error: PlaybackError
        /// The disconnect count of the caller that started the attempt. A caller that came after a
        /// later disconnect does not take the error for its own.
        var farewells: Int
    }

    public let id: String
    public let name: String
    let address: ScreenAddress
    let network: ScreenNetwork
    let held = Mutex(HeldConnection())
    /// Shares one attempt between concurrent calls of `connect()`. Two attempts would open two
    /// sessions, of which the receiver keeps one.
    private let connecting = SingleFlight<String, Result<Void, Failure>>()

    /// The settings of a screen: timeouts, retries and clock.
    public struct Configuration: Sendable {
        /// The limit for one request, and for the first state.
        public var timeout: Duration
        /// The time without any event after which the screen is lost.
        ///
        /// Choose several times the receiver's heartbeat.
        public var silence: Duration
        /// The attempts to resume events, and to repeat a command whose arrival is unknown.
        ///
        /// The receiver carries out each command once.
        public var retry: RetryPolicy
        /// The clock of the timeouts and the backoff.
        public var clock: any Clock<Duration>
        /// The source of the jitter of the backoff.
        public var random: any RandomNumberGenerator & Sendable

        /// Creates a configuration.
        public init(
            timeout: Duration = .seconds(5), silence: Duration = .seconds(15),
            retry: RetryPolicy = RetryPolicy(attempts: 4, cap: .seconds(2)),
            clock: any Clock<Duration> = ContinuousClock(),
            random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        ) {
            self.timeout = timeout
            self.silence = silence
            self.retry = retry
            self.clock = clock
            self.random = random
        }
    }

    /// Creates a screen. It is not connected yet.
    ///
    /// - Parameters:
    ///   - id: the identity of the device, which stays when its address changes.
    ///   - name: the name for users.
    ///   - url: the absolute URL of the receiver, without a query.
    ///   - transport: sends the requests.
    /// - Throws: `malformed` if the URL is invalid or not one of HTTP.
    public init(
        id: String, name: String, at url: String, transport: any Transport,
        configuration: Configuration = Configuration()
    ) throws(PlaybackError) {
        (self.id, self.name) = (id, name)
        address = try ScreenAddress(url)
        network = ScreenNetwork(
            transport: transport, timeout: configuration.timeout, silence: configuration.silence,
            retry: configuration.retry, clock: configuration.clock, random: SharedRandom(configuration.random))
    }

    deinit { held.withLock { $0.connection }?.end(nil) }

    public var loss: PlaybackError? { held.withLock { $0.loss } }

    /// The number of commands in flight.
    var underWay: Int { held.withLock { $0.connection }?.underWay ?? 0 }

    // MARK: Connections

    public func connect() async throws(PlaybackError) {
        let farewells = held.withLock { $0.arrive() }
        var isConnected = false
        // If this caller is cancelled, it may have been the last one that wanted the connection.
        defer { if let unwanted = held.withLock({ $0.leave(isConnected: isConnected) }) { letGo(of: unwanted) } }
        // The attempt that this caller joined may have been ended by a disconnect before its own
        // call. Then it tries for itself.
        while !isConnected {
            let outcome: Result<Void, Failure>
            do throws(CancellationError) {
                outcome = try await connecting.run(id) { [self] close in
                    do throws(PlaybackError) { return .success(try await open(of: farewells, close)) } catch {
                        // A disconnect cancels the requests. Their error would be a transport
                        // failure and not the reason.
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

    /// Opens a session. The single flight runs one call at a time for all callers of `connect()`.
    ///
    /// - Parameter close: closes the flight, so that later callers start another.
    private func open(of farewells: Int, _ close: @Sendable () -> Void) async throws(PlaybackError) {
        let opening = try held.withLock { held throws(PlaybackError) in
            // A cancelled caller must not start an attempt in the place of a later caller.
            if Task.isCancelled { throw .cancelledByCaller }
            return try held.begin(of: farewells, name) { Task { await openSession() } }
        }
        guard let opening else { return }
        let outcome = await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }
        // Before the outcome is looked at, on every way out.
        held.withLock { $0.ended(opening) }
        let connection = try outcome.get()
        do throws(PlaybackError) {
            try held.withLock { held throws(PlaybackError) in
                if Task.isCancelled { throw .cancelledByCaller }
                try held.keep(connection, of: farewells, name)
                // Closed in the same critical section as `keep`. Otherwise a caller that
                // disconnects and connects again could join this flight and get its answer, without
                // a connection.
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
                    "expected a session of up to 128 letters, digits, - and _ from \(name), found \"\(opened.session.prefix(150))\""
                )
            }
            let connection = ScreenConnection(session: opened.session, address, network, name) { [weak self] in
                self?.lost($0, $1)
            }
            // The receiver has the session already. Without a goodbye it would keep it until
            // another sender comes.
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

    /// Ends a connection without waiting for the goodbye to the receiver. The goodbye has its own
    /// timeout, and the caller may be cancelled already.
    private func letGo(of connection: ScreenConnection) {
        connection.end(nil)
        Task { await connection.sendClose() }
    }

    public func disconnect() async {
        let (connection, opening) = held.withLock { $0.letGo() }
        // Outside of the lock: the cancellation handlers may take it.
        opening?.cancel()
        // An attempt that still runs after this call could take the screen from another sender.
        _ = await opening?.value
        guard let connection else { return }
        connection.end(nil)
        await connection.sendClose()
    }

    // MARK: Playing

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard let connection = held.withLock({ $0.connection }) else {
            throw PlaybackError(.disconnected, "\(name) is not connected; connect it first")
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
