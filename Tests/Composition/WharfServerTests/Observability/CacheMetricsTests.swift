import CoreMetrics
import MetricsTestKit
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfServer

@Suite struct CacheMetricsTests {
    private let factory = TestMetrics()

    private func total(_ name: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
        try factory.expectCounter("wharf.cache." + name, dimensions).totalValue
    }

    private func total(outcome: String, reason: String) throws -> Int64 {
        try total("requests", [("outcome", outcome), ("reason", reason)])
    }

    private func event(
        _ kind: CacheEvent.Kind, forward: CacheStatus.Forward? = nil, failure: TransportError.Code? = nil
    ) -> CacheEvent {
        CacheEvent(kind, target: "https://h/a", byteCount: 7, failure: failure)
            .adding(forward: forward, age: .seconds(2))
    }

    @Test func outcomesAreCountedWithTheirReasons() throws {
        let metrics = CacheMetrics(factory: factory)
        let outcomes: [(CacheEvent, String, String)] = [
            (event(.hit), "hit", "none"), (event(.miss, forward: .uriMiss), "miss", "uri-miss"),
            (event(.stale(.failure), forward: .stale, failure: .offline), "stale", "failure"),
            (event(.revalidated, forward: .stale), "revalidated", "stale"),
            (event(.collapsed, forward: .uriMiss), "collapsed", "uri-miss"),
            (event(.passedOn, forward: .method), "passedOn", "method"), (event(.passedOn), "passedOn", "none"),
            (event(.failed, failure: .offline), "failed", "offline"),
        ]
        for (event, outcome, reason) in outcomes {
            metrics.count(event)
            #expect(try total(outcome: outcome, reason: reason) == 1)
        }
        #expect(factory.counters.count == outcomes.count)
        metrics.count(event(.hit))
        #expect(try total(outcome: "hit", reason: "none") == 2)
        let hits = [("outcome", "hit")]
        #expect(try factory.expectTimer("wharf.cache.age", hits).values == [2_000_000_000, 2_000_000_000])
        #expect(try factory.expectRecorder("wharf.cache.bytes", hits).values == [7, 7])
        // The age of an answer of the network says nothing about the cache.
        #expect(throws: (any Error).self) { try factory.expectTimer("wharf.cache.age", [("outcome", "miss")]) }
    }

    @Test func codeOfAnAppIsNoDimension() throws {
        let metrics = CacheMetrics(factory: factory)
        for number in 0..<100 { metrics.count(event(.failed, failure: .init("own\(number)"))) }
        #expect(try total(outcome: "failed", reason: "other") == 100)
        #expect(factory.counters.count == 1)
    }

    @Test func changesOfTheStoreAreCounted() throws {
        let metrics = CacheMetrics(factory: factory)
        metrics.count(event(.stored))
        metrics.count(event(.notStored(.noStore)))
        metrics.count(event(.removed(.invalidated)))
        metrics.count(event(.evicted(.byteLimit)))
        metrics.count(event(.revalidatedInBackground(.confirmed)))
        #expect(try total("stored") == 1)
        #expect(try total("unstored", [("reason", "noStore")]) == 1)
        #expect(try total("removed", [("reason", "invalidated")]) == 1)
        #expect(try total("evicted", [("reason", "byteLimit")]) == 1)
        #expect(try total("background", [("result", "confirmed")]) == 1)
        #expect(try factory.expectRecorder("wharf.cache.stored.bytes").values == [7])
        #expect(try factory.expectRecorder("wharf.cache.evicted.bytes", [("reason", "byteLimit")]).values == [7])
        #expect(factory.counters.count == 5)
    }

    @Test func labelIsThePrefixOfAllNames() throws {
        CacheMetrics(label: "x", factory: factory).count(event(.stored))
        #expect(try factory.expectCounter("x.stored").totalValue == 1)
    }

    @Test func noSecretIsADimension() async throws {
        let metrics = CacheMetrics(factory: factory)
        try await CacheScenario.run { metrics.count($0) }
        let labels =
            factory.counters.map { "\($0.label) \($0.dimensions)" }
            + factory.recorders.map { "\($0.label) \($0.dimensions)" }
            + factory.timers.map { "\($0.label) \($0.dimensions)" }
        #expect(labels.count >= 6)
        for label in labels {
            #expect(!label.contains("s3cret") && !label.contains("example.com"), "\(label)")
        }
    }
}
