#if TestServer
import FlyingSocks
import Foundation
import Synchronization
public import WharfCore

/// An HTTP/1.1 origin on the loopback interface with scripted answers and failures.
///
/// It uses real sockets, and logs all requests.
///
/// ```swift
/// try await TestServer.run { server in
///     server.route(.get, "/users/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#).maxAge(30) }
///     let answer = try await client.fetch(.get("\(server.baseURL)/users/1"))
///     #expect(server.requests.map(\.path) == ["/users/1"])
/// }
/// ```
///
/// A request without a route is answered with 404. A malformed request reaches no route. It is
/// refused, and its connection closed:
///
/// - 400: no HTTP/1, `Content-Length` with `Transfer-Encoding`, two different lengths, a chunk
///   without a size, and similar errors (RFC 9112 §6.3).
/// - 413: a body above 1 GiB.
/// - 431: a request line with its fields, or trailers, above 64 KiB.
/// - 501: a transfer coding other than `chunked`.
public final class TestServer: Sendable {
    /// The end of the exchange with one request.
    public enum Outcome: Sendable, Hashable {
        /// The whole answer was written to the socket.
        case answered
        /// The server closed the connection early, as its route demanded.
        case cut
        /// The client left before it had the whole answer, or the server was stopped.
        case disconnected
    }

    private struct State {
        var routes: [TestRoute] = []
        var connections = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var accepting: Task<Void, Never>?
        var held: ReservedPort?
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let host: String
    let log = ExchangeLog()
    private let clock: any WallClock
    // `tasks` holds the connections that have not ended, and no number exceeds `connections`. Once
    // `stop()` has returned, none is added.
    private let state = Mutex(State())

    private init(host: String, port: UInt16, clock: any WallClock) {
        self.host = host
        self.port = port
        self.clock = clock
    }

    /// Starts a server on 127.0.0.1, which listens until ``stop()``.
    ///
    /// ``run(port:clock:_:)`` also stops the server.
    ///
    /// - Parameters:
    ///   - port: the port, or 0 for a free one. With a fixed port, a server can return where one
    ///     was stopped.
    ///   - clock: provides the time of the `Date` field.
    /// - Throws: an error of the system if the port is taken.
    public static func start(port: UInt16 = 0, clock: any WallClock = .system) async throws -> TestServer {
        try await start(host: "127.0.0.1", port: port, clock: clock)
    }

    /// Starts a server for clients that can't use the loopback interface.
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

    /// Passes a server to `body`, and stops the server afterwards on every path.
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

    /// The URL `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { "http://\(authority)" }

    /// The authority `127.0.0.1:PORT`, as in `HTTPRequest.authority`.
    public var authority: String { "\(host):\(port)" }

    /// Closes every connection, and stops listening.
    ///
    /// Once it returns, new connections are refused. Handlers that ignore cancellation are
    /// abandoned. It may be called again.
    ///
    /// On Linux the port stays reserved, so no server that takes any free port gets it, and later
    /// connections are refused. It is reserved until ``run(port:clock:_:)`` ends, or, after
    /// ``start(port:clock:)``, while this server is held. A `TestServer` that is started with the
    /// number of the port gets it.
    public func stop() async {
        let accepting = state.withLock { state in
            defer { state.accepting = nil }
            return state.accepting
        }
        accepting?.cancel()
        // The accepting task adds connections. Once it has ended, the list below is complete.
        await accepting?.value
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Stops, and releases the port.
    private func end() async {
        await stop()
        state.withLock { $0.held = nil }
    }

    /// Closes every connection, and continues to listen.
    public func dropConnections() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: Routes

    /// Answers requests by `handler`. Later routes take precedence.
    ///
    /// - Parameters:
    ///   - method: the method, or nil for any. GET includes HEAD, whose body is not sent.
    ///   - pattern: a path, in which `:name` stands for one segment, and a final `*` for the rest.
    public func route(
        _ method: HTTPRequest.Method?, _ pattern: String,
        _ handler: @escaping @Sendable (TestRequest) async -> TestResponse
    ) {
        let route = TestRoute(method, pattern, answer: handler)
        state.withLock { $0.routes.insert(route, at: 0) }
    }

    /// Answers each request in the same way.
    public func route(_ method: HTTPRequest.Method?, _ pattern: String, _ response: TestResponse) {
        route(method, pattern) { _ in response }
    }

    /// Answers with the responses in order, and repeats the last one for ever.
    public func route(_ method: HTTPRequest.Method?, _ pattern: String, inOrder responses: [TestResponse]) {
        let served = Atomic(0)
        route(method, pattern) { _ in
            let index = served.wrappingAdd(1, ordering: .relaxed).oldValue
            return responses.isEmpty ? .status(.notFound) : responses[min(index, responses.count - 1)]
        }
    }

    // MARK: Log

    /// All requests so far, in the order in which they were complete.
    public var requests: [TestRequest] { log.exchanges.map(\.request) }

    /// Returns the requests for one path so far.
    public func requests(to path: String) -> [TestRequest] { requests.filter { $0.path == path } }

    /// Waits for a request.
    ///
    /// - Parameter number: the number of the request, counted from 1.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func request(_ number: Int) async throws -> TestRequest {
        try await log.first { $0.count >= number ? $0[number - 1].request : nil }
    }

    /// Waits until the exchange is over, and returns its outcome.
    ///
    /// A cancellation by the client has the outcome ``Outcome/disconnected``.
    ///
    /// - Parameter number: the number of the request, counted from 1.
    /// - Throws: `CancellationError`.
    public func outcome(of number: Int) async throws -> Outcome {
        try await log.first { $0.count >= number ? $0[number - 1].outcome : nil }
    }

    /// Returns the bytes of the body written to the socket so far, with chunk framing.
    public func bytesSent(for number: Int) -> Int {
        let exchanges = log.exchanges
        return exchanges.indices.contains(number - 1) ? exchanges[number - 1].bytesSent : 0
    }

    /// The number of connections so far, open and closed.
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
                // A client that left before it was accepted must not end the loop for the others.
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
            // Started under the lock: a connection that ends at once would otherwise be removed
            // first and added afterwards, for ever.
            state.tasks[number] = Task.detached { [weak self] in
                await connection.run()
                self?.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    private func answer(_ request: TestRequest) async -> TestResponse {
        // The handler runs without the lock, as it may add routes or never return.
        let match = state.withLock { state -> (TestRoute, TestRequest)? in
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
    /// Whether the connection ended before it was accepted. The listening socket still works.
    var isOfOneConnection: Bool {
        guard case .failed(_, let number, _) = self else { return false }
        return number == ECONNABORTED || number == EINTR || number == EPROTO
    }
}
#endif
