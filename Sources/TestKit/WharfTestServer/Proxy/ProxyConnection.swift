#if TestServer
import FlyingSocks
import Foundation
import Synchronization
import WharfCore
import WharfFaults

/// One client's connection through the proxy: two byte streams with their faults.
struct ProxyConnection: Sendable {
    let exchange: ExchangeFaults
    let client: SocketStream
    let origin: OriginAddress
    let pool: Sockets
    let timeline: Timeline
    let onReport: FaultReportHandler
    private let traffic = Traffic()

    enum Ending: Sendable {
        /// Both sides have ended in order.
        case closed
        /// A side or a fault has broken the connection.
        case reset(String)
        /// The proxy was stopped, or the connection cut.
        case cancelled
    }

    /// The number of bytes in each direction, for the report.
    private final class Traffic: Sendable {
        private let counts = Mutex((toServer: 0, toClient: 0))

        func add(_ count: Int, _ direction: Fault.Direction) {
            counts.withLock { counts in
                if direction == .toServer { counts.toServer += count } else { counts.toClient += count }
            }
        }

        var text: String {
            counts.withLock { "\($0.toServer) bytes to the server, \($0.toClient) to the client" }
        }
    }

    init(
        _ exchange: ExchangeFaults, _ client: SocketStream, _ origin: OriginAddress, _ pool: Sockets,
        _ timeline: Timeline, _ onReport: @escaping FaultReportHandler
    ) {
        self.exchange = exchange
        self.client = client
        self.origin = origin
        self.pool = pool
        self.timeline = timeline
        self.onReport = onReport
    }

    /// Returns once both sockets are closed.
    func run() async {
        onReport(.began(exchange))
        // Before any byte is read, as a refused connection never saw the request.
        if let refusal = exchange.refusal {
            await client.reset()
            return report(.ended, "refused by \(refusal)")
        }
        switch await untilCut({ await relay() }) {
        case .closed:
            await client.close()
            report(.ended, traffic.text)
        case .reset(let reason):
            await client.reset()
            report(.ended, "\(traffic.text), \(reason)")
        case .cancelled:
            await client.reset()
            report(.ended, "\(traffic.text), \(Task.isCancelled ? "the proxy was stopped" : cutText)")
        }
    }

    private var cutText: String { exchange.cut.map { "cut by \($0.fault)" } ?? "cut" }

    /// Runs the work, and cancels it at the time of the cut.
    private func untilCut(_ work: @escaping @Sendable () async -> Ending) async -> Ending {
        guard let cut = exchange.cut else { return await work() }
        return await withTaskGroup(of: Ending?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // The sleep is cancelled if the work ends first.
                do { try await timeline.sleep(cut.time) } catch { return nil }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // The work closes its sockets. The client's socket may be closed only after that.
            await group.waitForAll()
            return first ?? .cancelled
        }
    }

    private func relay() async -> Ending {
        do {
            let toServer = ByteQueue()
            if let (status, fault) = exchange.status(.toServer) {
                switch try await requestHead() {
                case .gone: return .closed
                case .head(let head):
                    let answer = InjectedAnswer(status, exchange.injected(fault))
                    return try await self.answer(head.isHEAD ? answer.head : answer.bytes)
                // The bytes are read already, so they go first into the queue of the relay.
                case .other(let bytes):
                    skipped(fault, "a request of HTTP/1")
                    try await toServer.push(.bytes(bytes, at: timeline.now()))
                }
            }
            let server: SocketStream
            do {
                server = try await SocketStream.connect(to: origin.address, in: pool)
            } catch let error as CancellationError {
                throw error
            } catch {
                report(.originUnreachable, "the origin \(origin) could not be reached: \(SocketError.reason(error))")
                return .reset("no origin at \(origin)")
            }
            // The relay has ended with all its tasks, so no read or write uses the socket that is
            // closed next.
            let ending = await ProxyRelay(self, client, server, toServer).run()
            if case .closed = ending { await server.close() } else { await server.reset() }
            return ending
        } catch {
            return .cancelled
        }
    }

    // MARK: Answers in place of the origin

    private enum RequestHead {
        case head(HTTPHead)
        case other([UInt8])
        case gone
    }

    private func requestHead() async throws -> RequestHead {
        var bytes: [UInt8] = []
        // A head may come in several reads. The bytes are kept, as those of another protocol have
        // to be passed on.
        while case .bytes(let more) = try await client.arrival() {
            bytes += more
            switch HTTPHead.read(bytes, isRequest: true) {
            case .head(let head): return .head(head)
            case .other: return .other(bytes)
            case .incomplete: continue
            }
        }
        return .gone
    }

    private func answer(_ bytes: [UInt8]) async throws -> Ending {
        let toClient = ByteQueue()
        try await toClient.push(.bytes(bytes, at: timeline.now()))
        try await toClient.push(.end(at: timeline.now()))
        switch try await ProxyWriter(self, .toClient, toClient, client).run() {
        case .ended, .silent: break
        case .broken(let reason): return .reset(reason)
        }
        // Unread bytes would turn the end into a reset.
        while case .bytes = try await client.arrival() {}
        return .closed
    }

    // MARK: Reports

    func passed(_ count: Int, _ direction: Fault.Direction) { traffic.add(count, direction) }

    func skipped(_ fault: Fault, _ expected: String) {
        report(
            .skipped, "\(fault) needs \(expected), but other bytes came, such as those of TLS; they pass without it",
            [fault])
    }

    private func report(_ code: FaultReport.Code, _ message: String, _ faults: [Fault] = []) {
        onReport(
            FaultReport(code, exchange: exchange.number, seed: exchange.seed, faults: faults, message: message))
    }
}

/// An answer made by the plan, in its wire format.
struct InjectedAnswer {
    let head: [UInt8]
    private let body: [UInt8]
    var bytes: [UInt8] { head + body }

    init(_ status: HTTPResponse.Status, _ fault: InjectedFault) {
        let response = TestResponse.text("\(fault)\n", status: status)
        let head = ResponseHead(response, closes: true, at: SystemWallClock().now())
        self.head = head.bytes
        if head.allowsBody, case .bytes(let body) = response.content { self.body = body } else { body = [] }
    }
}
#endif
