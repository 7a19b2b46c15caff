#if TestServer
import FlyingSocks
import Foundation
import Synchronization
public import WharfCore

/// An HTTP/1.1 origin on the loopback interface: real sockets, scripted answers and failures, and a
/// log of what came.
///
/// ```swift
/// try await TestServer.run { server in
///     server.route(.get, "/users/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#).maxAge(30) }
///     let answer = try await client.fetch(.get("\(server.baseURL)/users/1"))
///     #expect(server.requests.map(\.path) == ["/users/1"])
/// }
/// ```
///
/// A request without a route is answered 404. A request that no route should see is refused, and
/// its connection closed:
///
/// - 400: no HTTP/1, `Content-Length` beside `Transfer-Encoding`, two different lengths, a chunk
///   without a size, and the like (RFC 9112 §6.3).
/// - 413: a body above 1 GiB.
/// - 431: a request line with its fields, or trailers, above 64 KiB.
/// - 501: a transfer coding other than `chunked`.
public final class TestServer: Sendable {
    /// How the exchange with one request ended.
    public enum Outcome: Sendable, Hashable {
        /// The whole answer went into the socket.
        case answered
        /// The server closed the connection early, as its route said.
        case cut
        /// The client left before it had the whole answer, or the server was stopped.
        case disconnected
    }

    private struct State {
        var routes: [Route] = []
        var connections = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var accepting: Task<Void, Never>?
        var held: HeldPort?
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let host: String
    let log = ExchangeLog()
    private let clock: any WallClock
    private let state = Mutex(State())

    private init(host: String, port: UInt16, clock: any WallClock) {
        self.host = host
        self.port = port
        self.clock = clock
    }

    /// Listens on 127.0.0.1. It goes on until ``stop()``; ``run(port:clock:_:)`` can't forget that.
    ///
    /// - Parameters:
    ///   - port: 0 for a free one. A fixed one lets a server come back where one was stopped.
    ///   - clock: tells the time of the `Date` field.
    /// - Throws: an error of the system when the port is taken.
    public static func start(port: UInt16 = 0, clock: any WallClock = .system) async throws -> TestServer {
        try await start(host: "127.0.0.1", port: port, clock: clock)
    }

    /// For who can't come over the loopback interface.
    ///
    /// - Parameter host: an IPv4 address of this machine.
    package static func start(
        host: String, port: UInt16 = 0, clock: any WallClock = .system
    ) async throws -> TestServer {
        let pool = try await SocketLoop.shared
        let (listener, bound, held) = try Listener.open(host: host, port: port, pool: pool)
        let server = TestServer(host: host, port: bound, clock: clock)
        let task = Task.detached { await server.accept(on: listener, pool) }
        server.state.withLock { state in
            state.accepting = task
            state.held = held
        }
        return server
    }

    /// Gives a server to `body` and stops it afterwards, whatever happens.
    public static func run<Result>(
        port: UInt16 = 0, clock: any WallClock = .system, _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(port: port, clock: clock)
        do {
            let result = try await body(server)
            await server.end()
            return result
        } catch {
            await server.end()
            throw error
        }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { "http://\(authority)" }

    /// `127.0.0.1:PORT`, as in `HTTPRequest.authority`.
    public var authority: String { "\(host):\(port)" }

    /// Closes every connection and listens no more; once it returns, the next attempt to connect is
    /// refused. Handlers that don't heed cancellation are left behind. May be called again.
    ///
    /// On Linux no server that takes any free port gets this one until ``run(port:clock:_:)`` is
    /// over, or, behind ``start(port:clock:)``, while somebody holds this server: a service that is
    /// gone stays gone. A `TestServer` that is started with its number does.
    public func stop() async {
        let accepting = state.withLock { state in
            defer { state.accepting = nil }
            return state.accepting
        }
        accepting?.cancel()
        await accepting?.value
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Stops, and lets go of the port.
    private func end() async {
        await stop()
        state.withLock { $0.held = nil }
    }

    /// Closes every connection and goes on listening.
    public func dropConnections() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Routes

    /// Answers requests by `handler`. A route goes before those that were set earlier.
    ///
    /// - Parameters:
    ///   - method: nil for any. GET includes HEAD, whose body is withheld.
    ///   - pattern: a path; `:name` stands for one segment, and a last `*` for the rest.
    public func route(
        _ method: HTTPRequest.Method?, _ pattern: String,
        _ handler: @escaping @Sendable (TestRequest) async -> TestResponse
    ) {
        let route = Route(method, pattern, answer: handler)
        state.withLock { $0.routes.insert(route, at: 0) }
    }

    /// Answers each request in the same way.
    public func route(_ method: HTTPRequest.Method?, _ pattern: String, _ response: TestResponse) {
        route(method, pattern) { _ in response }
    }

    /// Gives the answers in order, the last one for ever.
    public func route(_ method: HTTPRequest.Method?, _ pattern: String, inOrder responses: [TestResponse]) {
        let served = Atomic(0)
        route(method, pattern) { _ in
            let index = served.wrappingAdd(1, ordering: .relaxed).oldValue
            return responses.isEmpty ? .status(.notFound) : responses[min(index, responses.count - 1)]
        }
    }

    // MARK: Log

    /// All requests so far, in the order they were complete.
    public var requests: [TestRequest] { log.exchanges.map(\.request) }

    /// Requests for one path so far.
    public func requests(to path: String) -> [TestRequest] { requests.filter { $0.path == path } }

    /// Waits for a request.
    ///
    /// - Parameter number: 1 for the first that came.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func request(_ number: Int) async throws -> TestRequest {
        try await log.first { $0.count >= number ? $0[number - 1].request : nil }
    }

    /// Waits until the exchange is over and tells how. That a client cancelled shows as
    /// ``Outcome/disconnected``.
    ///
    /// - Parameter number: 1 for the first request that came.
    /// - Throws: `CancellationError`.
    public func outcome(of number: Int) async throws -> Outcome {
        try await log.first { $0.count >= number ? $0[number - 1].outcome : nil }
    }

    /// Bytes of the body, with their chunk framing, that went into the socket so far.
    public func bytesSent(for number: Int) -> Int {
        let exchanges = log.exchanges
        return exchanges.indices.contains(number - 1) ? exchanges[number - 1].bytesSent : 0
    }

    /// Connections so far, open and closed.
    public var connectionCount: Int { state.withLock { $0.connections } }
}

extension TestServer {
    private func accept(on listener: AsyncSocket, _ pool: Sockets) async {
        while !Task.isCancelled {
            do {
                let connection = try await listener.accept()
                try connection.socket.closeInChildren()
                serve(connection, pool)
            } catch let error as SocketError where error.isOfOneConnection {
                // A client that left before it was accepted is no reason to turn the others away.
                continue
            } catch {
                break
            }
        }
        await listener.close(in: pool)
    }

    private func serve(_ socket: AsyncSocket, _ pool: Sockets) {
        state.withLock { state in
            state.connections += 1
            let number = state.connections
            let connection = Connection(
                number: number, socket: socket, pool: pool, log: log, clock: clock,
                answer: { [weak self] request in await self?.answer(request) ?? .dropped })
            state.tasks[number] = Task.detached { [weak self] in
                await connection.run()
                self?.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    private func answer(_ request: TestRequest) async -> TestResponse {
        let match = state.withLock { state -> (Route, TestRequest)? in
            for route in state.routes {
                if let matched = route.match(request) { return (route, matched) }
            }
            return nil
        }
        guard let (route, matched) = match else {
            return .text("no route for \(request.method) \(request.path)\n", status: .notFound)
        }
        return await route.answer(matched)
    }
}

extension SocketError {
    /// The connection was gone before it was accepted; the listening socket is as good as before.
    var isOfOneConnection: Bool {
        guard case .failed(_, let number, _) = self else { return false }
        return number == ECONNABORTED || number == EINTR || number == EPROTO
    }
}
#endif
