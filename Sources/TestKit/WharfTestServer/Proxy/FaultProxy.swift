#if TestServer
import FlyingSocks
import Foundation
import Synchronization
import WharfCore
public import WharfFaults

/// A TCP proxy that simulates a bad network in front of an origin.
///
/// It uses real sockets, and a ``FaultPlan`` for the traffic.
///
/// ```swift
/// try await FaultProxy.run(to: server.authority, [.reset(afterBytes: 512).with(probability: 0.3)], seed: 42) { proxy in
///     let answer = try await client.fetch(.get("\(proxy.baseURL)/users/1"))
/// }
/// ```
///
/// - The faults of a connection are decided before its first byte. A connection that the client
///   keeps alive for several requests is one exchange.
/// - Bytes without a fault pass unchanged, at the pace of their reader.
/// - A reset is a real TCP reset, and pauses take real time.
/// - ``Fault/status(_:_:)`` and ``Fault/garbage(bytes:_:)`` parse HTTP/1 only as far as they need.
///   Other streams, such as TLS, pass without these faults, and a report says so.
public final class FaultProxy: Sendable {
    private struct State {
        var engine: FaultEngine
        var accepted = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var listening: Task<Void, Never>?
    }

    /// The plan of the faults.
    public let plan: FaultPlan
    /// The seed. Together with the plan and the order of connections it determines all faults.
    public let seed: UInt64
    /// The address of the proxy. The default is `127.0.0.1:PORT`.
    public let authority: String
    private let place: OriginAddress
    private let origin: OriginAddress
    private let pool: Sockets
    private let timeline: Timeline
    /// Reserves its port, also while it does not listen.
    private let held: ReservedPort
    private let onReport: FaultReportHandler
    // `tasks` holds the connections that have not ended, by number, and no number exceeds
    // `accepted`. The engine numbers exchanges alike, as both count under the lock.
    private let state: Mutex<State>

    private init(
        _ engine: FaultEngine, _ place: OriginAddress, _ held: ReservedPort, _ origin: OriginAddress, _ pool: Sockets,
        _ onReport: @escaping FaultReportHandler
    ) {
        self.plan = engine.plan
        self.seed = engine.seed
        self.authority = "\(place)"
        self.place = place
        self.held = held
        self.origin = origin
        self.pool = pool
        self.timeline = Timeline(ContinuousClock())
        self.onReport = onReport
        self.state = Mutex(State(engine: engine))
    }

    /// Starts a proxy, which listens until ``stop()``.
    ///
    /// ``run(to:_:seed:at:onReport:_:)`` also stops the proxy.
    ///
    /// - Parameters:
    ///   - origin: `HOST:PORT`, where the host is `localhost` or an IPv4 address. Each connection
    ///     of a client opens one to it.
    ///   - seed: the seed of the faults, random by default.
    ///   - address: the address to listen at, with port 0 for a free one.
    ///   - onReport: receives the faults and the end of each connection, and failures of the proxy.
    public static func start(
        to origin: String, _ plan: FaultPlan, seed: UInt64 = .random(in: 0...UInt64(UInt32.max)),
        at address: String = "127.0.0.1:0", onReport: @escaping FaultReportHandler = { _ in }
    ) async throws -> FaultProxy {
        let origin = try OriginAddress(origin)
        let wanted = try OriginAddress(address)
        let pool = try await SocketLoop.shared
        let (socket, port, held) = try bind(wanted)
        let engine = FaultEngine(plan, seed: seed)
        let listener = ProxyListener(socket, pool)
        do {
            // Opened before any client can know the port, so that the plan applies to the first
            // connection.
            if engine.openings.first?.isOpen != false { try listener.open() }
            let proxy = FaultProxy(engine, try OriginAddress("\(wanted.host):\(port)"), held, origin, pool, onReport)
            let task = Task.detached { await proxy.listen(listener) }
            proxy.state.withLock { $0.listening = task }
            return proxy
        } catch {
            await listener.close()
            throw error
        }
    }

    /// Passes a proxy to `body`, and stops the proxy afterwards on every path.
    public static func run<Result>(
        to origin: String, _ plan: FaultPlan, seed: UInt64 = .random(in: 0...UInt64(UInt32.max)),
        at address: String = "127.0.0.1:0", onReport: @escaping FaultReportHandler = { _ in },
        _ body: (FaultProxy) async throws -> Result
    ) async throws -> Result {
        let proxy = try await start(to: origin, plan, seed: seed, at: address, onReport: onReport)
        do {
            let result = try await body(proxy)
            await proxy.stop()
            return result
        } catch {
            await proxy.stop()
            throw error
        }
    }

    /// The URL `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { "http://\(authority)" }

    /// The number of accepted connections so far, open and closed.
    public var connectionCount: Int { state.withLock { $0.accepted } }

    /// Stops listening, and resets every connection.
    ///
    /// Once it returns, new connections are refused. It may be called again.
    ///
    /// On Linux no server that takes any free port gets this one while this proxy is held, so later
    /// connections are refused. A proxy that is started with the number of the port gets it.
    public func stop() async {
        let listening = state.withLock { $0.listening }
        listening?.cancel()
        // The listening task adds connections. Once it has ended, the list below is complete.
        await listening?.value
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private static func bind(_ place: OriginAddress) throws(FaultProxyError) -> (Socket, UInt16, ReservedPort) {
        do {
            let (socket, port) = try Listener.bind(host: place.host, port: place.port)
            do {
                // Reserved first, as the port can't be bound again once the other socket listens.
                return (socket, port, try ReservedPort(host: place.host, port: port))
            } catch {
                try socket.close()
                throw error
            }
        } catch {
            throw FaultProxyError(
                .portUnavailable,
                message:
                    "could not listen at \(place): \(SocketError.reason(error)); take another port, or 0 for a free one",
                cause: error)
        }
    }
}

extension FaultProxy {
    /// Opens and closes the port according to the plan, until it is cancelled.
    private func listen(_ first: ProxyListener) async {
        var listener = first
        var openings = state.withLock { $0.engine.openings }[...]
        do {
            while let opening = openings.popFirst() {
                let next = openings.first?.time
                guard opening.isOpen else {
                    try await pause(until: next)
                    continue
                }
                try listener.open()
                try await accept(on: listener, until: next)
                if next != nil {
                    await listener.close()
                    // Bound again, without listening.
                    listener = ProxyListener(try Listener.bind(host: place.host, port: place.port).0, pool)
                }
            }
        } catch is CancellationError {
            // The normal end.
        } catch {
            onReport(
                FaultReport(.listenerFailed, seed: seed, message: "the proxy accepts no more connections: \(error)"))
        }
        await listener.close()
    }

    private func pause(until time: Duration?) async throws {
        if let time { return try await timeline.sleep(time) }
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        try Task.checkCancellation()
    }

    private func accept(on listener: ProxyListener, until time: Duration?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true { self.serve(try await listener.accept()) }
            }
            if time != nil { group.addTask { try await self.pause(until: time) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func serve(_ socket: Socket) {
        let client: SocketStream
        do {
            client = try SocketStream(socket, in: pool)
        } catch {
            // The client left before it was served, and its socket is already closed.
            return
        }
        state.withLock { state in
            state.accepted += 1
            let number = state.accepted
            let exchange = state.engine.begin(at: timeline.now())
            let connection = ProxyConnection(exchange, client, origin, pool, timeline, onReport)
            // Started under the lock: a connection that ends at once would otherwise be removed
            // first and added afterwards, for ever.
            state.tasks[number] = Task.detached { [weak self] in
                await connection.run()
                self?.state.withLock { $0.tasks[number] = nil }
            }
        }
    }
}
#endif
