#if TestServer
import FlyingSocks
import Foundation
import Synchronization
import WharfCore
public import WharfFaults

/// A TCP proxy with a bad network inside: real sockets before an origin, and a ``FaultPlan`` for
/// what goes through them.
///
/// ```swift
/// try await FaultProxy.run(to: server.authority, [.reset(afterBytes: 512).with(probability: 0.3)], seed: 42) { proxy in
///     let answer = try await client.fetch(.get("\(proxy.baseURL)/users/1"))
/// }
/// ```
///
/// What is decided is decided for each connection, before its first byte; a connection that the
/// client keeps alive for several requests is one exchange. Bytes that no fault concerns pass as
/// they are, at the pace of whoever reads them. A reset is a real one. ``Fault/status(_:_:)`` and
/// ``Fault/garbage(bytes:_:)`` read HTTP/1 as far as they must; other streams, TLS among them, pass
/// without them, and a report says so. Pauses take real time.
public final class FaultProxy: Sendable {
    private struct State {
        var engine: FaultEngine
        var accepted = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var listening: Task<Void, Never>?
    }

    public let plan: FaultPlan
    /// What happens follows from it, the plan, and the order in which connections come.
    public let seed: UInt64
    /// Where it listens, `127.0.0.1:PORT` unless it was told otherwise.
    public let authority: String
    private let place: OriginAddress
    private let origin: OriginAddress
    private let pool: Sockets
    private let timeline: Timeline
    /// Its port, while it does not listen as well.
    private let held: HeldPort
    private let onReport: FaultReportHandler
    private let state: Mutex<State>

    private init(
        _ engine: FaultEngine, _ place: OriginAddress, _ held: HeldPort, _ origin: OriginAddress, _ pool: Sockets,
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

    /// Listens. It goes on until ``stop()``; ``run(to:_:seed:at:onReport:_:)`` can't forget that.
    ///
    /// - Parameters:
    ///   - origin: `HOST:PORT`, where the host is `localhost` or an IPv4 address. It is connected
    ///     to for each connection.
    ///   - seed: any, unless it is given.
    ///   - address: where to listen; port 0 for a free one.
    ///   - onReport: hears of each connection's faults and end, and of what could not be done.
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
            // Before anybody can know the port: what the plan says holds for the first one who
            // comes.
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

    /// Gives a proxy to `body` and stops it afterwards, whatever happens.
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

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var baseURL: String { "http://\(authority)" }

    /// Connections that were accepted so far, open and closed.
    public var connectionCount: Int { state.withLock { $0.accepted } }

    /// Listens no more and resets every connection; once it returns, the next attempt to connect is
    /// refused. May be called again.
    ///
    /// On Linux no server that takes any free port gets this one while this proxy is held: a
    /// network that is gone stays gone. A proxy that is started with its number gets it.
    public func stop() async {
        let listening = state.withLock { $0.listening }
        listening?.cancel()
        await listening?.value
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private static func bind(_ place: OriginAddress) throws(FaultProxyError) -> (Socket, UInt16, HeldPort) {
        do {
            let (socket, port) = try Listener.bind(host: place.host, port: place.port)
            do {
                // Later it could not be bound: the other one listens then.
                return (socket, port, try HeldPort(host: place.host, port: port))
            } catch {
                try socket.close()
                throw error
            }
        } catch {
            throw FaultProxyError(
                .portUnavailable,
                message:
                    "expected to listen at \(place), found: \(SocketError.reason(error)); take another port, or 0 for a free one",
                cause: error)
        }
    }
}

extension FaultProxy {
    /// Opens and closes the port as the plan says, until it is cancelled.
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
                    // Taken again, and not listened at.
                    listener = ProxyListener(try Listener.bind(host: place.host, port: place.port).0, pool)
                }
            }
        } catch is CancellationError {
            // That is how it ends.
        } catch {
            onReport(
                FaultReport(.listenerFailed, seed: seed, message: "nobody can connect any more: \(error)"))
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
            // It is closed already: a client that left before it was served.
            return
        }
        state.withLock { state in
            state.accepted += 1
            let number = state.accepted
            let exchange = state.engine.begin(at: timeline.now())
            let connection = ProxyConnection(exchange, client, origin, pool, timeline, onReport)
            state.tasks[number] = Task.detached { [weak self] in
                await connection.run()
                self?.state.withLock { $0.tasks[number] = nil }
            }
        }
    }
}
#endif
