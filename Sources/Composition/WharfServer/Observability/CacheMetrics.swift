#if Server
public import CoreMetrics
public import WharfCache
internal import WharfCore

/// The events of an HTTP cache as metrics of swift-metrics.
///
/// ```swift
/// let metrics = CacheMetrics()
/// var configuration = CacheConfiguration.privateClient
/// configuration.onEvent = { metrics.count($0) }
/// ```
///
/// | metric | | dimensions |
/// |---|---|---|
/// | `wharf.cache.requests` | counter | outcome, reason |
/// | `wharf.cache.age` | timer: the age of answers from the store | outcome |
/// | `wharf.cache.bytes` | recorder: the announced length of bodies that were returned | outcome |
/// | `wharf.cache.stored` | counter | |
/// | `wharf.cache.stored.bytes` | recorder: the length of bodies that were stored | |
/// | `wharf.cache.unstored` | counter: answers to misses that were not stored | reason |
/// | `wharf.cache.removed` | counter: removals by the cache | reason |
/// | `wharf.cache.evicted` | counter: removals by the store | reason |
/// | `wharf.cache.evicted.bytes` | recorder: the size of responses that the store removed | reason |
/// | `wharf.cache.background` | counter: ended revalidations in the background | result |
///
/// | dimension | values |
/// |---|---|
/// | outcome | hit, stale, miss, revalidated, collapsed, passedOn, failed |
/// | reason | that of the event, or `none`. For `failed` the code of the error, if Wharf defines it, or `other` |
/// | result | confirmed, answered, failed |
///
/// The hit ratio is the sum of hit, stale, revalidated and collapsed divided by the sum of all
/// outcomes.
///
/// All dimensions have a fixed set of values. None is a target, a host, a method or an account,
/// because each value would create a series of its own.
public final class CacheMetrics: Sendable {
    private let series: MetricSeries

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - label: the prefix of all names.
    ///   - factory: the backend; by default the current one of `MetricsSystem`.
    public init(label: String = "wharf.cache", factory: any MetricsFactory = MetricsSystem.factory) {
        series = MetricSeries(label: label, factory: factory)
    }

    /// Counts one event.
    public func count(_ event: CacheEvent) {
        let reason = [("reason", event.reason ?? "none")]
        switch event.kind {
        case .stored:
            series.add("stored", [])
            if let count = event.byteCount { series.record("stored.bytes", [], count) }
        case .notStored: series.add("unstored", reason)
        case .removed: series.add("removed", reason)
        case .evicted:
            series.add("evicted", reason)
            if let count = event.byteCount { series.record("evicted.bytes", reason, count) }
        case .revalidatedInBackground(let result): series.add("background", [("result", result.rawValue)])
        case .failed: countOutcome(event, reason: event.failure.map(Self.reason) ?? "other")
        case .hit, .stale, .miss, .revalidated, .collapsed, .passedOn:
            countOutcome(event, reason: event.reason ?? "none")
        }
    }

    private func countOutcome(_ event: CacheEvent, reason: String) {
        let outcome = [("outcome", event.kind.name)]
        series.add("requests", outcome + [("reason", reason)])
        if let count = event.byteCount { series.record("bytes", outcome, count) }
        switch event.kind {
        case .hit, .stale, .revalidated, .collapsed:
            if let age = event.age { series.time("age", outcome, age) }
        default: break
        }
    }

    // An app's transport may define codes of its own. Each would create a series.
    private static let codes: Set<TransportError.Code> = [
        .connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut, .tlsFailed, .pinningFailed, .cancelled,
        .invalidRequest, .invalidResponse, .fileUnreadable, .tooLarge, .serverFailed, .nothingKept, .tooManyRedirects,
        .unsafeRedirect, .credentialUnavailable, .bodyNotReplayable,
    ]

    private static func reason(_ code: TransportError.Code) -> String { codes.contains(code) ? code.name : "other" }
}
#endif
