internal import Synchronization
public import WharfCore
internal import WharfJSON
public import WharfPlayback

/// The other end of a ``NetworkScreen``: what a television or another device does with what it is sent, and what it answers.
///
/// It is a handler of requests in the shape of a `Transport`: put it behind any HTTP server, which gives it each request and sends its
/// answer on. It has one sender at a time, the latest: a session that is opened ends the one before.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine)
/// server.forward(to: "http", "receiver", by: receiver)
/// ```
public final class ScreenReceiver: Transport {
    private let player: any Player
    private let heartbeat: Duration
    private let retry: Duration
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let session = Mutex(ReceiverSession())
    /// The commands, one behind the other.
    private let line = Mutex<Task<Void, Never>?>(nil)
    private let reader = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - player: does what is sent.
    ///   - heartbeat: after how long a sender that was told nothing is told that the receiver is there.
    ///   - retry: what a sender is asked to wait before it comes again.
    ///   - clock: measures them.
    ///   - wallClock: stamps the answers.
    public init(
        player: any Player, heartbeat: Duration = .seconds(5), retry: Duration = .milliseconds(500),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        (self.player, self.heartbeat, self.retry) = (player, heartbeat, retry)
        (self.clock, self.wallClock) = (clock, wallClock)
        let states = player.states()
        reader.withLock { reader in
            reader = Task { [weak self] in
                for await state in states { self?.session.withLock { $0.reported(state) } }
                // The player has gone for good.
                if !Task.isCancelled { self?.close() }
            }
        }
    }

    deinit {
        reader.withLock { $0?.cancel() }
        close()
    }

    /// Ends the session, and tells its sender.
    public func close() {
        let ended = session.withLock { $0.close(PlaybackError(.disconnected, "the screen was switched off")) }
        ended?.finish()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let path = (request.head.path ?? "").prefix { $0 != "?" }.split(separator: "/")
        // Below whatever path the server has put it.
        guard let root = path.lastIndex(of: "session") else { return answer(.notFound) }
        let rest = path[(root + 1)...]
        guard let first = rest.first else {
            return request.head.method == .post ? open() : answer(.methodNotAllowed)
        }
        guard let number = Int(first) else { return answer(.notFound) }
        switch (request.head.method, rest.dropFirst().first) {
        case (.get, "events"): return events(of: number, request.head.headerFields)
        case (.post, "commands"): return try await command(request, of: number)
        case (.delete, nil):
            let ended = session.withLock { session in
                session.number == number
                    ? session.close(PlaybackError(.disconnected, "the sender has let go of the session")) : nil
            }
            ended?.finish()
            return answer(.noContent)
        default: return answer(.notFound)
        }
    }

    private func open() -> TransportResponse {
        let (number, before) = session.withLock { $0.open() }
        before?.finish()
        return answer(.created, ScreenMessage.Session(session: number))
    }

    private func events(of number: Int, _ fields: HTTPFields) -> TransportResponse {
        let feed = session.withLock { $0.number == number ? $0.feed : nil }
        // WHATWG HTML, section 9.2.2: it tells a client to come no more.
        guard let feed else { return answer(.noContent) }
        let known = HTTPField.Name("Last-Event-ID").flatMap { fields[$0] }.flatMap { Int($0) }
        let body = EventBody(feed, known: known, heartbeat: heartbeat, retry: retry, clock: clock)
        return TransportResponse(
            head: HTTPResponse(
                status: .ok, headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"]),
            body: BodyStream(body), provenance: provenance)
    }

    private func command(_ request: TransportRequest, of number: Int) async throws(TransportError) -> TransportResponse
    {
        let bytes: [UInt8]
        switch request.body {
        case .none: bytes = []
        case .bytes(let all): bytes = all
        case .stream(let make, _): bytes = try await make().collect(upTo: 1 << 20)
        }
        let message: ScreenMessage.Command
        do throws(JSONError) { message = try JSON.decode(from: bytes) } catch {
            return answer(.badRequest, ScreenMessage.Failure(PlaybackError(.malformed, error.message)))
        }
        let outcome = await perform(message, of: number)
        switch outcome {
        case .success: return answer(.noContent)
        case .failure(let error):
            return answer(error.code == .disconnected ? .gone : .conflict, ScreenMessage.Failure(error))
        }
    }

    /// In the order in which commands came, also where their sender has left.
    private func perform(_ message: ScreenMessage.Command, of number: Int) async -> Result<Void, PlaybackError> {
        let task = line.withLock { line in
            let task = Task { [before = line] () -> Result<Void, PlaybackError> in
                await before?.value
                return await performNext(message, of: number)
            }
            line = Task { _ = await task.value }
            return task
        }
        return await task.value
    }

    private func performNext(_ message: ScreenMessage.Command, of number: Int) async -> Result<Void, PlaybackError> {
        switch session.withLock({ $0.decide(message.sequence, of: number) }) {
        case .taken(let outcome): return outcome
        case .refuse(let error): return .failure(error)
        case .take: break
        }
        let outcome: Result<Void, PlaybackError>
        do throws(PlaybackError) { outcome = .success(try await player.perform(message.command)) } catch {
            outcome = .failure(error)
        }
        // Who asks is told the state now: what comes behind the answer is not older than the command.
        var states = player.states().makeAsyncIterator()
        let state = await states.next()
        session.withLock { $0.answered(message.sequence, of: number, outcome, state) }
        return outcome
    }

    private var provenance: Provenance { Provenance(source: .network, asOf: wallClock.now()) }

    private func answer(_ status: HTTPResponse.Status) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: status), body: .empty, provenance: provenance)
    }

    private func answer(_ status: HTTPResponse.Status, _ message: some JSONEncodable) -> TransportResponse {
        do throws(JSONError) {
            let head = HTTPResponse(status: status, headerFields: [.contentType: "application/json"])
            return TransportResponse(head: head, body: BodyStream(try JSON.encode(message)), provenance: provenance)
        } catch {
            // All that is written are strings and whole numbers.
            return answer(.internalServerError)
        }
    }
}
