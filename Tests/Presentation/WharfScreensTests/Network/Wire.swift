import Synchronization
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfScreens

/// A connection to a receiver without sockets, which a test can cut, block and repair.
final class Wire: Transport {
    private enum Mode { case up, hanging, cut }

    private struct Content {
        var mode = Mode.up
        /// Opens when the open exchanges are cut.
        var cut = Gate()
        /// Opens when the connection is no longer blocked.
        var hang = Gate()
        var requests: [TransportRequest] = []
    }

    private let base: any Transport
    private let content = Mutex(Content())

    init(_ base: any Transport) { self.base = base }

    var requests: [TransportRequest] { content.withLock { $0.requests } }

    /// The values of a field in the requests for events.
    func eventRequests(_ name: String) -> [String?] {
        requests.filter { $0.head.method == .get }.map { request in
            HTTPField.Name(name).flatMap { request.head.headerFields[$0] }
        }
    }

    func cut() {
        let gates = content.withLock { content in
            content.mode = .cut
            return [content.cut, content.hang]
        }
        for gate in gates { gate.open() }
    }

    func hang() { content.withLock { $0.mode = .hanging } }

    func mend() {
        let hang = content.withLock { content in
            defer { (content.mode, content.cut, content.hang) = (.up, Gate(), Gate()) }
            return content.hang
        }
        hang.open()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let (mode, cut, hang) = content.withLock { content in
            content.requests.append(request)
            return (content.mode, content.cut, content.hang)
        }
        switch mode {
        case .up: break
        case .cut: throw TransportError(.connectionFailed, message: "the wire is cut")
        case .hanging:
            await hang.pass()
            throw TransportError(Task.isCancelled ? .cancelled : .connectionLost, message: "hung and was let go of")
        }
        var response = try await base.send(request)
        response.body = BodyStream(Body(response.body, cut))
        return response
    }

    private final class Body: BodyStream.Producer {
        private let body: BodyStream
        private let cut: Gate

        init(_ body: BodyStream, _ cut: Gate) { (self.body, self.cut) = (body, cut) }

        func next() async throws(TransportError) -> [UInt8]? {
            let outcome = await withTaskGroup(of: Result<[UInt8]?, TransportError>.self) { group in
                group.addTask { [body] in
                    var chunks = body.makeAsyncIterator()
                    do throws(TransportError) { return .success(try await chunks.next(isolation: nil)) } catch {
                        return .failure(error)
                    }
                }
                group.addTask { [cut] in
                    await cut.pass()
                    return .failure(TransportError(.connectionLost, message: "the wire was cut"))
                }
                defer { group.cancelAll() }
                return await group.next() ?? .success(nil)
            }
            if Task.isCancelled { throw TransportError(.cancelled, message: "the task was cancelled") }
            return try outcome.get()
        }

        func cancel() {}
    }
}

/// A receiver with its player, and a sender.
struct Living {
    let device = StubPlayer()
    let receiver: ScreenReceiver
    let wire: Wire
    let clock = TestClock()

    init(heartbeat: Duration = .seconds(5)) {
        receiver = ScreenReceiver(
            player: device, configuration: .init(heartbeat: heartbeat, retry: .milliseconds(1), clock: clock))
        wire = Wire(receiver)
    }

    static let film = MediaItem(
        id: "film", url: "http://192.0.2.1/film.mp4", contentType: "video/mp4", title: "Film", duration: .seconds(3600))

    /// A screen with the usual times on a test clock, so that the machine's load has no effect.
    func screen(
        _ id: String = "living", by transport: (any Transport)? = nil, timeout: Duration? = nil,
        retry: RetryPolicy = .fast, clock: (any Clock<Duration>)? = nil
    ) throws -> NetworkScreen {
        try NetworkScreen(
            id: id, name: "Living room", at: "http://192.0.2.7:8080/screen/", transport: transport ?? wire,
            configuration: .init(
                timeout: timeout ?? (clock == nil ? .never : .seconds(5)),
                silence: clock == nil ? .never : .seconds(15), retry: retry, clock: clock ?? ContinuousClock()))
    }
}

extension NetworkScreen {
    /// A screen in real time, whose timeouts never pass.
    static func patient(_ transport: any Transport) throws -> NetworkScreen {
        try NetworkScreen(
            id: "tv", name: "TV", at: "http://192.0.2.7", transport: transport,
            configuration: .init(timeout: .never, silence: .never))
    }
}

extension Duration {
    /// Longer than any run.
    static let never = Duration.seconds(100 * 86_400)
}

extension RetryPolicy {
    static let fast = RetryPolicy(attempts: 3, base: .milliseconds(1), cap: .milliseconds(5))
}

extension StubPlayer {
    func press(_ command: PlaybackCommand) {
        var state = state
        do { try state.apply(command) } catch { return }
        report(state)
    }
}
