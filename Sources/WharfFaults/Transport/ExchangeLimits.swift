internal import WharfCore

/// How long one exchange may last: until the request's timeout, or until a fault cuts it.
struct ExchangeLimits: Sendable {
    let exchange: ExchangeFaults
    let timeline: Timeline
    private let timeout: Duration?
    private let deadline: Duration?

    init(_ exchange: ExchangeFaults, _ timeline: Timeline, timeout: Duration?) {
        self.exchange = exchange
        self.timeline = timeline
        self.timeout = timeout
        self.deadline = timeout.map { timeline.now() + $0 }
    }

    /// What the transport below may still take.
    var remaining: Duration? { deadline.map { $0 - timeline.now() } }

    /// - Parameters:
    ///   - time: nil for what never comes.
    ///   - fault: why it is waited for.
    /// - Throws: `connectionLost` when the exchange is cut first, `timedOut` when its timeout comes
    ///   first, `cancelled`.
    func wait(until time: Duration?, for fault: Fault? = nil) async throws(TransportError) {
        let cut = exchange.cut?.time
        let end = [time, cut, deadline].compactMap(\.self).min()
        do {
            if let end { try await timeline.sleep(end) } else { try await Self.forever() }
            try Task.checkCancellation()
        } catch {
            throw .cancelled
        }
        guard let end, end != time else { return }
        throw end == cut ? cutError : timedOut(by: fault)
    }

    /// What `work` gives, unless the exchange is cut before.
    func cuttable<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        guard let cut = exchange.cut else { return try await work() }
        let timeline = timeline
        let first = await withTaskGroup(of: Result<Value, TransportError>?.self) { group in
            group.addTask {
                do throws(TransportError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                // Cancelled once the work is done; then nobody looks at what this gives.
                do { try await timeline.sleep(cut.time) } catch { return .failure(.cancelled) }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let first else { throw cutError }
        return try first.get()
    }

    private var cutError: TransportError {
        guard let fault = exchange.cut?.fault else { return .cancelled }
        return exchange.injected(fault).error(.connectionLost, "the connection was cut in the middle of the exchange")
    }

    private func timedOut(by fault: Fault?) -> TransportError {
        let plain = TransportError.timedOut(after: timeout ?? .zero)
        return fault.map { exchange.injected($0).error(.timedOut, plain.message) } ?? plain
    }

    private static func forever() async throws {
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        try Task.checkCancellation()
    }
}

extension InjectedFault {
    /// - Parameter found: what was expected or what happened instead.
    func error(_ code: TransportError.Code, _ found: String) -> TransportError {
        TransportError(code, message: "\(found) (\(self); the same seed brings it back)", cause: self)
    }
}
