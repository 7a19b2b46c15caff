import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfGateway

struct MetricsTests {
    @Test func metricsCountAKnownSequence() async throws {
        let clock = TestClock()
        let origin = ClosureTransport { request in
            .text(
                "hello", status: request.head.path == "/gone" ? .notFound : .ok,
                fields: [.contentLength: "5", .cacheControl: "max-age=60"])
        }
        let store = MemoryCacheStore(byteLimit: 1 << 20)
        let caching = CachingTransport(
            origin, store: store, configuration: .shared, clock: clock.wall, onIncident: { Issue.record("\($0)") })
        try await withAdmin(over: caching, store: store, clock: clock) { gateway, admin in
            // On one connection the next request begins after the answer before it is stored.
            try await RawClient.run(gateway) { client in
                for path in ["/a", "/a", "/a", "/gone"] {
                    try await client.get(path, of: gateway)
                    _ = try await client.answer()
                }
                try await client.send("POST /b HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: 0", "")
                _ = try await client.answer()
                gateway.core.configuration.controls.isOffline = true
                try await client.get("/nothing", of: gateway)
                _ = try await client.answer()
            }
            _ = try await AdminClient(server: gateway).send("GET", "/a", host: "other.test")
            // The end of a streamed answer is counted after its last byte.
            var metrics = try await Metrics(admin.get("/metrics").text)
            while metrics["wharf_gateway_request_duration_seconds_count"] != 6 {
                metrics = try await Metrics(admin.get("/metrics").text)
            }
            let counts = metrics.samples.filter { $0.key.hasPrefix("wharf_gateway_requests_total") && $0.value != 0 }
            #expect(
                counts == [
                    "wharf_gateway_requests_total{cache=\"miss\",status=\"2xx\"}": 1,
                    "wharf_gateway_requests_total{cache=\"miss\",status=\"4xx\"}": 1,
                    "wharf_gateway_requests_total{cache=\"hit\",status=\"2xx\"}": 2,
                    "wharf_gateway_requests_total{cache=\"bypass\",status=\"2xx\"}": 1,
                    "wharf_gateway_requests_total{cache=\"refused\",status=\"4xx\"}": 1,
                    "wharf_gateway_requests_total{cache=\"failed\",status=\"5xx\"}": 1,
                ])
            let statistics = try await store.statistics()
            for (name, value) in [
                ("sent_body_bytes_total", 25), ("broken_requests_total", 0), ("live_requests", 0),
                ("cache_entries", 2), ("cache_bytes", Double(statistics.byteCount)), ("cache_limit_bytes", 1_048_576),
                ("offline", 1), ("faults", 0), ("start_time_seconds", 1_000_000_000),
            ] {
                #expect(metrics["wharf_gateway_\(name)"] == value, "\(name)")
            }
        }
    }

    @Test func durationIsInTheBucketsFromItsBoundOn() async throws {
        let clock = TestClock()
        let gate = Gate()
        let origin = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        try await withAdmin(over: origin, clock: clock) { gateway, admin in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                await gate.arrivals()
                clock.advance(by: .seconds(2))
                #expect(try await Metrics(admin.get("/metrics").text)["wharf_gateway_live_requests"] == 1)
                gate.open()
                #expect(try await client.answer().text == "late")
            }
            let metrics = try await Metrics(admin.get("/metrics").text)
            let name = "wharf_gateway_request_duration_seconds"
            let bounds = ["0.001", "0.005", "0.01", "0.05", "0.1", "0.5", "1.0", "5.0", "10.0", "60.0", "+Inf"]
            #expect(bounds.map { metrics["\(name)_bucket{le=\"\($0)\"}"] } == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
            #expect((metrics["\(name)_sum"], metrics["\(name)_count"]) == (2, 1))
        }
    }

    /// An upper bound is inclusive.
    @Test func durationEqualToABoundIsBelowIt() {
        var counts = GatewayActivity.Counts()
        for duration in [.zero, .milliseconds(1), .nanoseconds(1_000_001), .seconds(60), .seconds(61)] as [Duration] {
            counts.end(after: duration, isBroken: false)
        }
        #expect(counts.durations == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test func answerThatBreaksOffIsBroken() async throws {
        let origin = ClosureTransport { _ in
            .stream(
                Pieces { number throws(TransportError) in
                    guard number == 0 else { throw TransportError(.connectionLost, message: "lost") }
                    return [1]
                }, fields: [.contentLength: "2"])
        }
        try await withAdmin(over: origin) { gateway, admin in
            await #expect(throws: RawClient.Ended.self) { try await gateway.get("/") }
            let metrics = try await Metrics(admin.get("/metrics").text)
            #expect(metrics["wharf_gateway_broken_requests_total"] == 1)
            #expect(metrics["wharf_gateway_sent_body_bytes_total"] == 1)
            #expect(metrics["wharf_gateway_live_requests"] == 0)
        }
    }

    @Test func storeIsLeftOutIfItIsNotShown() async throws {
        try await withAdmin(over: RecordingTransport()) { _, admin in
            let metrics = try await Metrics(admin.get("/metrics").text)
            #expect(!metrics.samples.keys.contains { $0.hasPrefix("wharf_gateway_cache_") })
        }
    }

    @Test func failureOfTheStoreIsShown() async throws {
        try await withAdmin(over: RecordingTransport(), store: BrokenStore()) { _, admin in
            let text = try await admin.get("/metrics").text
            #expect(text.contains("\n# the store failed: the disk is gone; mount it\n"))
            #expect(try Metrics(text)["wharf_gateway_offline"] == 0)
            #expect(try await admin.state().storeError == "the disk is gone;\nmount it")
            let entries = try await admin.get("/entries.json")
            #expect((entries.status, entries.text.contains("the disk is gone")) == (500, true))
            #expect(try await admin.post("/entries/remove?id=1").status == 500)
        }
    }

    @Test(arguments: [
        (CacheStatus(hit: true), Source.httpCache, AnswerSource.hit),
        (CacheStatus(hit: true, detail: "STALE"), .httpCache, .hit),
        (CacheStatus(hit: true, forward: .stale, detail: "STALE-ON-ERROR"), .httpCache, .fallback),
        (CacheStatus(hit: false, forward: .stale, forwardStatus: 304), .revalidated, .revalidated),
        // The client's own condition was confirmed, and nothing is stored.
        (CacheStatus(hit: false, forward: .uriMiss, forwardStatus: 304), .network, .miss),
        (CacheStatus(hit: false, forward: .stale, forwardStatus: 200), .network, .miss),
        (CacheStatus(hit: false, forward: .request), .network, .miss),
        (CacheStatus(hit: false, forward: .method), .network, .bypass),
        (CacheStatus(hit: false, forward: .bypass), .network, .bypass),
        (CacheStatus(hit: false, detail: "ONLY-IF-CACHED"), .httpCache, .failed),
    ])
    func sourceFollowsFromTheCacheStatus(status: CacheStatus, source: Source, expected: AnswerSource) {
        let provenance = Provenance(source: source, asOf: .distantPast, cacheStatus: status)
        #expect(AnswerSource(provenance) == expected)
    }

    @Test func sourceWithoutACacheIsUncached() {
        #expect(AnswerSource(Provenance(source: .network, asOf: .distantPast)) == .uncached)
    }

    @Test func sourceOfASharedAnswerIsCollapsed() {
        var status = CacheStatus(hit: false, forward: .uriMiss)
        status.collapsed = true
        #expect(AnswerSource(Provenance(source: .httpCache, asOf: .distantPast, cacheStatus: status)) == .collapsed)
        // It waited, and then sent a request of its own.
        status.collapsed = false
        #expect(AnswerSource(Provenance(source: .network, asOf: .distantPast, cacheStatus: status)) == .miss)
    }
}

/// The text format 0.0.4, which the initialiser checks line by line.
private struct Metrics {
    private(set) var samples: [String: Double] = [:]

    subscript(_ series: String) -> Double? { samples[series] }

    init(_ text: String) throws {
        #expect(text.hasSuffix("\n") && !text.contains("\n\n"))
        var types: [String: Substring] = [:]
        var helped: Substring?
        var family = ""
        for line in text.split(separator: "\n") {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) (\S.*)/) {
                helped = help.1
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                #expect(helped == type.1, "\(line)")
                family = String(type.1)
                #expect(types.updateValue(type.2, forKey: family) == nil, "a second \(line)")
                #expect(family.hasSuffix("_total") == (type.2 == "counter"), "\(line)")
            } else if line.hasPrefix("# the store failed") {
                continue
            } else {
                let sample = try #require(
                    line.wholeMatch(of: /([a-z_]+)(\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? (\S+)/), "\(line)")
                let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                #expect(suffixes.contains { family + $0 == sample.1 }, "\(line)")
                let value = try #require(Double(sample.3), "\(line)")
                #expect(samples.updateValue(value, forKey: "\(sample.1)\(sample.2 ?? "")") == nil, "a second \(line)")
            }
        }
        #expect(types.count >= 9)
        let buckets = samples.filter { $0.key.contains("_bucket") }.sorted { Self.bound($0.key) < Self.bound($1.key) }
        #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
        #expect(buckets.last?.value == samples["wharf_gateway_request_duration_seconds_count"])
    }

    private static func bound(_ series: String) -> Double {
        series.firstMatch(of: /le="([^"]+)"/).flatMap { Double($0.1 == "+Inf" ? "inf" : $0.1) } ?? .nan
    }
}

/// A store that fails.
private struct BrokenStore: InspectableCacheStore {
    private var failure: StoreError { StoreError(.unavailable, message: "the disk is gone;\nmount it") }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup { throw failure }
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter { throw failure }
    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        throw failure
    }
    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) { throw failure }
    func removeAll(under key: CacheKey) async throws(StoreError) { throw failure }
    func removeAll(of account: Account?) async throws(StoreError) { throw failure }
    func entries(usedBefore use: Int64?, limit: Int) async throws(StoreError) -> [CacheEntry] { throw failure }
    func body(of entry: CacheEntry) async throws(StoreError) -> BodyStream? { throw failure }
    func statistics() async throws(StoreError) -> CacheStatistics { throw failure }
}
