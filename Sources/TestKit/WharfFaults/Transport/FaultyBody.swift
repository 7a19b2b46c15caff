internal import Synchronization
internal import WharfCore

/// A body to which the faults of its direction are applied.
final class FaultyBody: BodyStream.Producer {
    private enum Action {
        case pull(BodyStream)
        case step(StreamFaults.Step)
        case fail(TransportError)
        case finish
    }

    private struct State {
        /// Nil after its end or its release.
        var base: BodyStream?
        var faults: StreamFaults
        var steps: ArraySlice<StreamFaults.Step> = []
        var failure: TransportError?
        var trailers: HTTPFields?

        mutating func next() -> Action {
            if let failure { return .fail(failure) }
            // All steps before the next pull, so that at most one chunk is held.
            if let step = steps.popFirst() { return .step(step) }
            return base.map { .pull($0) } ?? .finish
        }

        mutating func take(_ chunk: [UInt8]?, at time: Duration) {
            if let chunk {
                steps += faults.steps(for: chunk, arrivedAt: time)
            } else {
                trailers = base?.trailers
                base = nil
                steps += faults.stepsAtEnd(arrivedAt: time)
            }
        }
    }

    // Between calls:
    // - `steps` are for bytes that arrived and were not passed on.
    // - Once `failure` is set, `steps` and `base` are not used any more: each read throws it.
    private let state: Mutex<State>
    private let limits: ExchangeLimits
    private let message: String
    private let onBreak: @Sendable (TransportError) -> Void

    /// - Parameter onBreak: gets each failure that a fault has caused.
    init(
        _ base: BodyStream, _ faults: StreamFaults, _ limits: ExchangeLimits, of message: String,
        onBreak: @escaping @Sendable (TransportError) -> Void = { _ in }
    ) {
        self.state = Mutex(State(base: base, faults: faults))
        self.limits = limits
        self.message = message
        self.onBreak = onBreak
    }

    func next() async throws(TransportError) -> [UInt8]? {
        while true {
            switch state.withLock({ $0.next() }) {
            case .fail(let error): throw error
            case .finish: return nil
            case .pull(let base):
                let chunk = try await failing { () throws(TransportError) in
                    try await self.limits.cuttable { () throws(TransportError) in
                        var chunks = base.makeAsyncIterator()
                        return try await chunks.next(isolation: nil)
                    }
                }
                // If `cancel()` came meanwhile, the chunk is added and never read, as the failure
                // goes first.
                let now = limits.timeline.now()
                state.withLock { $0.take(chunk, at: now) }
            case .step(.send(let bytes)): return bytes
            case .step(.wait(let time)):
                try await failing { () throws(TransportError) in try await self.limits.wait(until: time) }
            case .step(.end(let ending)):
                let error = limits.exchange.error(ending, of: message)
                onBreak(error)
                try await failing { () throws(TransportError) in throw error }
            }
        }
    }

    func cancel() { leave(.cancelled) }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// Runs `work`. Its failure stays for later reads, and the body below is released.
    private func failing<Value>(
        _ work: () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        do throws(TransportError) {
            return try await work()
        } catch {
            leave(error)
            throw error
        }
    }

    private func leave(_ error: TransportError) {
        // Released outside of the lock, because the release may run arbitrary code.
        let base = state.withLock { state -> BodyStream? in
            // The first failure stays: `cancel()` after a fault must not hide the fault.
            state.failure = state.failure ?? error
            state.steps = []
            defer { state.base = nil }
            return state.base
        }
        withExtendedLifetime(base) {}
    }
}
