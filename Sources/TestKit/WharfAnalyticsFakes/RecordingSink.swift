internal import Synchronization
public import WharfAnalytics
public import WharfCore
public import WharfFakes

/// A sink that records its events, for tests of an app.
///
/// It needs no network and no test framework.
///
/// ```swift
/// let sink = RecordingSink()
/// let destination = AnalyticsDestination(sink, consent: consent)      // given to the outbox and to `Analytics`
/// …
/// #expect(sink.events.map(\.name) == ["film.opened"])
/// ```
public final class RecordingSink: AnalyticsSink {
    private struct State {
        var batches: [[KeyedEvent]] = []
        var verdict: Delivery.Verdict = .delivered
        var gate: Gate?
    }

    public let name: String
    public let limits: BatchLimits
    private let state = Mutex(State())

    /// Creates a sink that takes all events.
    public init(_ name: String = "recording", limits: BatchLimits = BatchLimits(entries: 100)) {
        self.name = name
        self.limits = limits
    }

    /// The events that it has taken, in order.
    public var events: [TrackedEvent] { batches.flatMap { $0.map(\.event) } }

    /// The taken events, by the calls that brought them.
    public var batches: [[KeyedEvent]] { state.withLock { $0.batches } }

    /// Sets the verdict of later batches. Only delivered batches are recorded.
    public func answer(_ verdict: Delivery.Verdict) { state.withLock { $0.verdict = verdict } }

    /// Makes batches wait at a gate before they are answered; nil for no gate.
    public func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    public func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] {
        await state.withLock { $0.gate }?.pass()
        // The verdict at the end of the wait counts, so a test can change it while a batch is held.
        return state.withLock { state in
            if state.verdict == .delivered { state.batches.append(batch) }
            return batch.map { _ in state.verdict }
        }
    }
}
