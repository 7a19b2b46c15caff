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
/// when nothing is heard of it for `silence`, and when another sender takes it over.
public final class NetworkScreen: Screen {
    struct Content {
        var connection: ScreenConnection?
        var loss: PlaybackError?
    }

    public let id: String
    public let name: String
    let address: ScreenAddress
    let network: ScreenNetwork
    private let content = Mutex(Content())

    /// - Parameters:
    ///   - url: of the receiver, absolute, without a query.
    ///   - timeout: how long one request may take.
    ///   - silence: how long nothing may be heard; several times the receiver's heartbeat.
    ///   - retry: how often and after what pauses the events are asked for again, and a command is sent again of which nobody knows
    ///     whether it arrived. The receiver takes each command once.
    ///   - clock: measures all of these.
    /// - Throws: `malformed` where the URL is none, or none of HTTP.
    public init(
        id: String, name: String, at url: String, transport: any Transport, timeout: Duration = .seconds(5),
        silence: Duration = .seconds(15), retry: RetryPolicy = RetryPolicy(attempts: 4, cap: .seconds(2)),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(PlaybackError) {
        (self.id, self.name) = (id, name)
        address = try ScreenAddress(url)
        network = ScreenNetwork(transport: transport, timeout: timeout, silence: silence, retry: retry, clock: clock)
    }

    deinit { content.withLock { $0.connection }?.end(nil) }

    public var loss: PlaybackError? { content.withLock { $0.loss } }

    public func connect() async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        if content.withLock({ $0.connection?.isOver == false }) { return }
        let answer = try await network.send(address.request(.post, "/session", timeout: network.timeout))
        let opened = try network.read(ScreenMessage.Session.self, from: answer, for: "a session")
        let connection = ScreenConnection(session: opened.session, address, network, name) { [weak self] ended, error in
            self?.content.withLock { content in
                guard content.connection === ended else { return }
                content.connection = nil
                content.loss = error
            }
        }
        content.withLock { ($0.connection, $0.loss) = (connection, nil) }
        do throws(PlaybackError) {
            try await connection.open()
        } catch {
            content.withLock { if $0.connection === connection { $0.connection = nil } }
            connection.end(nil)
            throw error
        }
    }

    public func disconnect() async {
        let connection = content.withLock { content in
            defer { (content.connection, content.loss) = (nil, nil) }
            return content.connection
        }
        guard let connection else { return }
        connection.end(nil)
        await connection.sayGoodbye()
    }

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
