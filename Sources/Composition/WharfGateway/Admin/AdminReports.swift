#if Server
internal import WharfCache
internal import WharfCore
internal import WharfStorage

/// The state of a gateway and its store, as JSON and as metrics.
struct AdminReports: Sendable {
    private static let shownRequests = 50

    private let gateway: GatewayCore
    private let url: String
    private let store: (any InspectableCacheStore)?
    private let caching: CacheConfiguration

    init(gateway: Gateway, store: (any InspectableCacheStore)?) {
        self.gateway = gateway.core
        self.store = store
        url = gateway.url
        // Another transport may have a cache inside. An account belongs to a private one.
        caching =
            (gateway.core.transport as? CachingTransport)?.policy.configuration
            ?? (gateway.core.configuration.account == nil ? .shared : .privateClient)
    }

    private func statistics() async -> Result<CacheStatistics, StoreError>? {
        guard let store else { return nil }
        do throws(StoreError) { return .success(try await store.statistics()) } catch { return .failure(error) }
    }

    func state() async -> AdminState {
        let (activity, controls) = (gateway.activity, gateway.configuration.controls)
        let statistics = await statistics()
        return AdminState(
            url: url, origin: "\(gateway.site.scheme)://\(gateway.site.authority)", isOffline: controls.isOffline,
            isDraining: gateway.connections.isClosing, injectsFaults: controls.hasFaults ? controls.injectsFaults : nil,
            uptime: activity.uptime, counts: activity.counts, sentBytes: activity.sentBytes,
            connections: gateway.connections.count, liveCount: activity.liveCount,
            live: activity.live(limit: Self.shownRequests), store: statistics)
    }

    func metrics() async -> String {
        let (activity, controls) = (gateway.activity, gateway.configuration.controls)
        var metrics = PrometheusText()
        metrics.requests(activity.counts)
        metrics.counter(
            "wharf_gateway_broken_requests_total", "Requests that ended without a complete answer.",
            Int64(activity.counts.broken))
        metrics.counter(
            "wharf_gateway_sent_body_bytes_total", "Bytes of response bodies, without the texts of refusals.",
            activity.sentBytes)
        metrics.gauge("wharf_gateway_live_requests", "Requests in flight.", Int64(activity.liveCount))
        metrics.gauge(
            "wharf_gateway_connections", "Open connections, with those of WebSockets to the origin.",
            Int64(gateway.connections.count))
        metrics.durations("wharf_gateway_request_duration_seconds", activity.counts)
        switch await statistics() {
        case nil: break
        case .failure(let error): metrics.comment("the store failed: \(error.message)")
        case .success(let store):
            metrics.gauge("wharf_gateway_cache_entries", "Kept answers.", Int64(store.entryCount))
            metrics.gauge(
                "wharf_gateway_cache_bytes", "Bytes of kept answers that count toward the limit.", store.byteCount)
            if let limit = store.byteLimit {
                metrics.gauge("wharf_gateway_cache_limit_bytes", "The most bytes that are kept.", limit)
            }
        }
        metrics.gauge("wharf_gateway_offline", "1 if the cache alone answers.", controls.isOffline ? 1 : 0)
        metrics.gauge(
            "wharf_gateway_faults", "1 if faults are injected.", controls.hasFaults && controls.injectsFaults ? 1 : 0)
        metrics.gauge(
            "wharf_gateway_start_time_seconds", "When the gateway began to listen, in seconds since 1970.",
            activity.startedAt.secondsSince1970)
        return metrics.text
    }

    func page(_ entries: [CacheEntry], next: Int64?, at now: WallTime) -> EntryPage {
        EntryPage(entries: entries.map { EntryReport($0, by: caching, at: now) }, next: next)
    }
}
#endif
