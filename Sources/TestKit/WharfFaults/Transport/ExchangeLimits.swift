internal import WharfCore

/// The limits of an exchange's duration: the request's timeout, or a fault that cuts it.
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

    /// The time that is left for the transport below.
    var remaining: Duration? { deadline.map { $0 - timeline.now() } }

    /// Waits until a time.
    ///
    /// - Parameters:
    ///   - time: nil to wait for an event that never happens.
    ///   - fault: the reason for the wait.
    /// - Throws: `connectionLost` if the exchange is cut first, `timedOut` if its timeout passes
    ///   first, `cancelled`.
    func wait(until time: Duration?, for fault: Fault? = nil) async throws(TransportError) {
        let cut = exchange.cut?.time
        // The first of the three decides. At equal times the awaited event wins, then the cut.
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

    /// Returns the result of `work`, unless the exchange is cut before.
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
                // The sleep is cancelled when the work is done; its result is not used then.
                do { try await timeline.sleep(cut.time) } catch { return .failure(.cancelled) }
                return nil
            }
            let first = await group.next() ?? nil
            // Ends the loser, for which the group waits.
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
    /// - Parameter found: the failure in words, for the message.
    func error(_ code: TransportError.Code, _ found: String) -> TransportError {
        TransportError(code, message: "\(found) (\(self); the same seed repeats it)", cause: self)
    }
}
