internal import Synchronization
public import WharfCore
internal import WharfJSON
public import WharfPlayback

/// The other end of a ``NetworkScreen``: what a television or another device does with what it is sent, and what it answers.
///
/// It is a handler of requests in the shape of a `Transport`: put it behind any HTTP server, which gives it each request and sends its
/// answer on. It has one sender at a time, the latest: a session that is opened ends the one before, and cancels the command of
/// that one which the player is still at.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine)
/// server.forward(to: "http", "receiver", by: receiver)
/// ```
public final class ScreenReceiver: Transport {
    let heartbeat: Duration
    let retry: Duration
    let clock: any Clock<Duration>
    let session = Mutex(ReceiverSession())
    private let player: any Player
    private let wallClock: any WallClock
    private let random: ScreenRandom
    private let reader = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - player: does what is sent.
    ///   - heartbeat: after how long a sender that was told nothing is told that the receiver is there.
    ///   - retry: what a sender is asked to wait before it comes again.
    ///   - clock: measures them.
    ///   - wallClock: stamps the answers.
    ///   - random: for the ids of sessions. Whoever knows one gives commands, so it has to be one whose numbers can't be foretold.
    public init(
        player: any Player, heartbeat: Duration = .seconds(5), retry: Duration = .milliseconds(500),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.player, self.heartbeat, self.retry) = (player, heartbeat, retry)
        (self.clock, self.wallClock, self.random) = (clock, wallClock, ScreenRandom(random))
        let states = player.states()
        reader.withLock { reader in
            reader = Task { [weak self] in
                for await state in states { self?.session.withLock { $0.reported(state) } }
                // The player has gone for good.
                if !Task.isCancelled { self?.session.withLock { $0.desert() }?.tell() }
            }
        }
    }

    deinit {
        reader.withLock { $0?.cancel() }
        close()
    }

    /// Ends the session, and tells its sender.
    public func close() { session.withLock { $0.close(.switchedOff) }?.tell() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !Task.isCancelled else { throw .cancelled }
        return try await answer(to: request)
    }

    // MARK: What is asked for

    func open() async throws(TransportError) -> TransportResponse {
        // The player's first word may be on its way still, and a sender begins with the state of now.
        if session.withLock({ $0.state }) == nil {
            var states = player.states().makeAsyncIterator()
            if let state = await states.next(isolation: nil) {
                session.withLock { if $0.state == nil { $0.reported(state) } }
            }
            // Who has left ends nobody's session.
            if Task.isCancelled { throw .cancelled }
        }
        let id = random.id()
        let (isDeserted, before) = session.withLock { session in
            (session.isDeserted, session.isDeserted ? nil : session.open(as: id))
        }
        before?.tell()
        if isDeserted {
            let error = PlaybackError(.disconnected, "the player of this screen has gone for good")
            return answer(.serviceUnavailable, ScreenMessage.Failure(error))
        }
        return answer(.created, ScreenMessage.Session(session: id))
    }

    func letGo(of id: String) -> TransportResponse {
        let (end, ended) = session.withLock { session in
            let end = session.end(of: id)
            return (end, end == nil ? session.close(.letGo) : nil)
        }
        ended?.tell()
        return end.map(over) ?? answer(.noContent)
    }

    func perform(_ message: ScreenMessage.Command, of id: String) async throws(TransportError) -> TransportResponse {
        let decision = session.withLock { $0.decide(message, of: id) }
        switch decision {
        case .over(let end): return over(end)
        case .late(let error): return answer(.conflict, ScreenMessage.Failure(error))
        case .answered(let outcome): return answer(outcome)
        case .full:
            let error = PlaybackError(
                .refused, "\(ReceiverSession.queueLimit) commands wait for the player already; come again in a second")
            return answer(.serviceUnavailable, ScreenMessage.Failure(error), fields: [.retryAfter: "1"])
        case .wait(let command):
            proceed()
            switch try await command.answer() {
            case .done(let outcome): return answer(outcome)
            case .over(let end): return over(end)
            }
        }
    }

    /// Gives the player the next command, where it has none. They are done in the order in which they came, also where the one who
    /// sent them has left.
    private func proceed() {
        session.withLock { session in
            guard let command = session.next() else { return }
            command.begin(
                Task { [weak self, player] in
                    let outcome: Result<Void, PlaybackError>
                    do throws(PlaybackError) { outcome = .success(try await player.perform(command.command)) } catch {
                        outcome = .failure(error)
                    }
                    // Who asks is told the state now: what comes behind the answer is not older than the command.
                    var states = player.states().makeAsyncIterator()
                    let state = await states.next(isolation: nil)
                    guard let self else { return }
                    self.session.withLock { $0.finished(command, outcome, state) }
                    command.settle(.done(outcome))
                    proceed()
                })
        }
    }

    // MARK: Answers

    var provenance: Provenance { Provenance(source: .network, asOf: wallClock.now()) }

    func over(_ end: SessionEnd) -> TransportResponse { answer(.gone, ScreenMessage.Failure(end)) }

    private func answer(_ outcome: Result<Void, PlaybackError>) -> TransportResponse {
        switch outcome {
        case .success: answer(.noContent)
        case .failure(let error): answer(.conflict, ScreenMessage.Failure(error))
        }
    }

    func answer(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> TransportResponse {
        let head = HTTPResponse(status: status, headerFields: fields)
        return TransportResponse(head: head, body: .empty, provenance: provenance)
    }

    func answer(
        _ status: HTTPResponse.Status, _ message: some JSONEncodable, fields: HTTPFields = [:]
    ) -> TransportResponse {
        do throws(JSONError) {
            var fields = fields
            fields[.contentType] = "application/json"
            let head = HTTPResponse(status: status, headerFields: fields)
            return TransportResponse(head: head, body: BodyStream(try JSON.encode(message)), provenance: provenance)
        } catch {
            // All that is written are strings and whole numbers.
            return answer(.internalServerError)
        }
    }
}
