#if TestServer
import WharfCore
import WharfFaults

/// Delivers the bytes of one direction to their receiver, with the faults applied.
struct ProxyWriter: Sendable {
    enum Ending: Sendable {
        /// The end was forwarded.
        case ended
        /// Nothing more comes through, and neither side is notified.
        case silent
        case broken(String)
    }

    private let connection: ProxyConnection
    private let direction: Fault.Direction
    private let queue: ByteQueue
    private let sink: SocketStream

    init(
        _ connection: ProxyConnection, _ direction: Fault.Direction, _ queue: ByteQueue, _ sink: SocketStream
    ) {
        self.connection = connection
        self.direction = direction
        self.queue = queue
        self.sink = sink
    }

    /// Delivers the bytes until the end of the stream.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws -> Ending {
        // Both are values of this writer alone: the other direction has its own.
        var faults = connection.exchange.stream(direction, ofPackets: true)
        var rewrite = rewriting()
        while true {
            var steps: [StreamFaults.Step] = []
            var isLast = false
            switch try await queue.next() {
            case .reset: return .broken("reset by the \(direction == .toServer ? "client" : "server")")
            case .bytes(let bytes, let time):
                let output = rewritten(bytes, &rewrite)
                if !output.bytes.isEmpty { steps = faults.steps(for: output.bytes, arrivedAt: time) }
                isLast = output.isLast
                if isLast { steps += faults.stepsAtEnd(arrivedAt: time) }
            case .end(let time):
                // An unfinished head is passed on as it came.
                if let held = rewrite?.rewrite.end(), !held.isEmpty {
                    steps = faults.steps(for: held, arrivedAt: time)
                }
                steps += faults.stepsAtEnd(arrivedAt: time)
                isLast = true
            }
            if let ending = try await take(steps) { return ending }
            if isLast {
                sink.endWriting()
                return .ended
            }
        }
    }

    private func take(_ steps: [StreamFaults.Step]) async throws -> Ending? {
        for step in steps {
            switch step {
            case .wait(let time): try await connection.timeline.sleep(time)
            case .send(let bytes):
                // The receiver left, so the rest has no receiver.
                guard try await sink.deliver(bytes) else {
                    return .broken("the \(direction == .toServer ? "server" : "client") left")
                }
                connection.passed(bytes.count, direction)
            case .end(.reset(let fault)): return .broken("reset by \(fault)")
            case .end(.truncated):
                sink.endWriting()
                return .ended
            case .end(.silence): return .silent
            }
        }
        return nil
    }

    // MARK: HTTP

    private struct Rewriting {
        var rewrite: MessageRewrite
        let fault: Fault
        var isDone = false
    }

    private func rewriting() -> Rewriting? {
        let exchange = connection.exchange
        if direction == .toClient, let (status, fault) = exchange.status(.toClient) {
            let answer = InjectedAnswer(status, exchange.injected(fault))
            return Rewriting(rewrite: MessageRewrite(.answer(answer.bytes), ofRequest: false), fault: fault)
        }
        guard let (bytes, fault) = exchange.garbage(direction) else { return nil }
        let rewrite = MessageRewrite(.body(bytes), ofRequest: direction == .toServer)
        return Rewriting(rewrite: rewrite, fault: fault)
    }

    /// - Returns: the bytes to forward, and whether the stream ends after them.
    private func rewritten(_ bytes: [UInt8], _ rewriting: inout Rewriting?) -> (bytes: [UInt8], isLast: Bool) {
        guard var current = rewriting else { return (bytes, false) }
        // The replaced message was the last one; the rest of the original is dropped.
        guard !current.isDone else { return ([], false) }
        let output = current.rewrite.take(bytes)
        switch output {
        case .hold(let bytes):
            rewriting = current
            return (bytes, false)
        case .pass(let bytes):
            rewriting = nil
            return (bytes, false)
        case .replace(let bytes):
            current.isDone = true
            rewriting = current
            // If a server sees its client's end, it may take the client for gone and not answer.
            return (bytes, direction == .toClient)
        case .skip(let bytes):
            rewriting = nil
            connection.skipped(current.fault, "HTTP/1")
            return (bytes, false)
        }
    }
}
#endif
