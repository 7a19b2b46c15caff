#if Server
public import CoreMetrics
public import WharfCore
public import WharfOutbox
public import WharfStorage

/// The activity of an outbox as metrics of swift-metrics.
///
/// ```swift
/// let metrics = OutboxMetrics()
/// Task { await metrics.count(outbox.events) }     // until the outbox is closed
/// try await metrics.sample(outbox)                // every so often
/// ```
///
/// | metric | | dimensions |
/// |---|---|---|
/// | `wharf.outbox.enqueued` | counter | kind |
/// | `wharf.outbox.attempts` | counter | destination, kind |
/// | `wharf.outbox.duration` | timer: how long requests take | destination, kind |
/// | `wharf.outbox.deliveries` | counter | destination, kind, outcome: delivered, retrying, dead, conflict, dropped, expired |
/// | `wharf.outbox.holds` | counter | `destination` |
/// | `wharf.outbox.credential.changes` | counter | |
/// | `wharf.outbox.pauses` | counter | `destination` |
/// | `wharf.outbox.resumptions` | counter | `destination` |
/// | `wharf.outbox.parked` | counter | destination, kind |
/// | `wharf.outbox.missed` | counter | |
/// | `wharf.outbox.waiting`, `wharf.outbox.dead` | gauges | destination, kind |
/// | `wharf.outbox.oldest` | gauge: the age in seconds of the oldest entry to be delivered | destination |
///
/// No metric has lanes, accounts or entries as dimensions, because each value would create a series
/// of its own.
public final class OutboxMetrics: Sendable {
    private let series: MetricSeries
    private let clock: any WallClock

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - label: the prefix of all names.
    ///   - factory: the backend; by default the current one of `MetricsSystem`.
    ///   - clock: measures the age of entries.
    public init(
        label: String = "wharf.outbox", factory: any MetricsFactory = MetricsSystem.factory,
        clock: any WallClock = .system
    ) {
        series = MetricSeries(label: label, factory: factory)
        self.clock = clock
    }

    /// Counts events until the outbox is closed or the task is cancelled.
    ///
    /// If counting is slower than the events come, events are dropped and counted as missed.
    public func count(_ events: OutboxEvents) async {
        for await event in events { count(event) }
    }

    /// Counts one event.
    public func count(_ event: OutboxEvent) {
        switch event {
        case .enqueued(_, let kind, _): series.add("enqueued", [("kind", kind)])
        case .attempted(let subject): series.add("attempts", subject.dimensions)
        case .answered(let subject, let duration): series.time("duration", subject.dimensions, duration)
        case .delivered(let subject, _): settle(subject, "delivered")
        case .retrying(let subject, _, _): settle(subject, "retrying")
        case .dead(let subject, _): settle(subject, "dead")
        case .conflict(let subject, _): settle(subject, "conflict")
        case .dropped(let dropped): settle(dropped, "dropped")
        case .expired(let dropped): settle(dropped, "expired")
        case .parked(let route): series.add("parked", route.dimensions)
        case .held(let destination, _): series.add("holds", [("destination", destination)])
        case .credentialChanged: series.add("credential.changes", [])
        case .paused(let destination): series.add("pauses", [("destination", destination)])
        case .resumed(let destination): series.add("resumptions", [("destination", destination)])
        case .missed(let count): series.add("missed", [], by: count)
        }
    }

    /// Sets the gauges from the current journal of the outbox's account.
    public func sample(_ outbox: OutboxEngine) async throws(StoreError) {
        let (store, account) = (outbox.store, outbox.account)
        sample(try await store.counts(of: account))
        sample(oldest: try await store.oldestPending(of: account))
    }

    /// Sets the gauges to given counts. A route without a count gets 0.
    public func sample(_ counts: OutboxCounts) {
        for (name, routes) in [("waiting", counts.pending), ("dead", counts.dead)] {
            series.set(name, routes.map { ($0.dimensions, Double($1)) })
        }
    }

    /// Sets the gauges of the oldest entries to their age by the wall clock.
    ///
    /// A destination without an entry gets 0.
    ///
    /// - Parameter oldest: the times at which the oldest entries were enqueued, by destination.
    public func sample(oldest: [String: WallTime]) {
        let now = clock.now().nanoseconds
        series.set(
            "oldest",
            oldest.map { ([("destination", $0)], max(0, Double(now) - Double($1.nanoseconds)) / 1_000_000_000) })
    }

    private func settle(_ subject: OutboxEvent.Subject, _ outcome: String) {
        series.add("deliveries", subject.dimensions + [("outcome", outcome)])
    }

    private func settle(_ dropped: DroppedDelivery, _ outcome: String) {
        let route = OutboxCounts.Route(dropped.delivery.destination, kind: dropped.kind)
        series.add("deliveries", route.dimensions + [("outcome", outcome)])
    }
}

extension OutboxEvent.Subject {
    fileprivate var dimensions: [(String, String)] { OutboxCounts.Route(id.destination, kind: kind).dimensions }
}

extension OutboxCounts.Route {
    fileprivate var dimensions: [(String, String)] { [("destination", destination), ("kind", kind)] }
}
#endif
