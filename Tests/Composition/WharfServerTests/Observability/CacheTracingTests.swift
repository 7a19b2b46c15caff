import InMemoryTracing
import Testing
import Tracing
import WharfCache
import WharfCore
import WharfServer

@Suite struct CacheTracingTests {
    private let tracer = InMemoryTracer()

    private func text(_ event: SpanEvent, _ name: String) -> String? {
        switch event.attributes.get(name) {
        case .string(let value): value
        case .int64(let value): "\(value)"
        default: nil
        }
    }

    @Test func eventIsAddedToTheCurrentSpan() throws {
        tracer.withSpan("request") { _ in
            CacheEvent(
                .stale(.failure), target: "https://h/a", method: "HEAD", status: 200, byteCount: 5,
                failure: .serverFailed
            ).adding(forward: .stale, forwardStatus: 503, age: .seconds(90)).trace(by: tracer)
            CacheEvent(.hit, target: "https://h/a").trace(by: tracer)
        }
        let events = try #require(tracer.finishedSpans.first).events
        #expect(events.map(\.name) == ["http.cache.stale", "http.cache.hit"])
        let stale = try #require(events.first)
        let attributes = [
            "target": "https://h/a", "method": "HEAD", "reason": "failure", "forward": "stale", "status": "200",
            "forward_status": "503", "age": "90", "bytes": "5", "error": "serverFailed",
        ]
        for (name, value) in attributes { #expect(text(stale, "http.cache.\(name)") == value, "\(name)") }
        #expect(stale.attributes.count == attributes.count)
        // An attribute without a value is left out.
        #expect(events.last?.attributes.count == 2)
    }

    @Test func eventOutsideOfASpanIsDropped() {
        CacheEvent(.hit, target: "https://h/a").trace(by: tracer)
        #expect(tracer.finishedSpans.isEmpty && tracer.activeSpans.isEmpty)
    }

    @Test func requestsOfACacheAreEventsOfTheCallersSpan() async throws {
        try await tracer.withSpan("request") { [tracer] _ in
            try await CacheScenario.run { $0.trace(by: tracer) }
        }
        let events = try #require(tracer.finishedSpans.first).events
        #expect(
            events.map(\.name) == [
                "http.cache.miss", "http.cache.stored", "http.cache.hit", "http.cache.stale",
                "http.cache.revalidated", "http.cache.removed", "http.cache.removed", "http.cache.passedOn",
                "http.cache.failed", "http.cache.notStored", "http.cache.miss",
            ])
        for event in events {
            var found = event.name
            event.attributes.forEach { found += " \($0): \($1)" }
            #expect(!found.contains("s3cret"), "\(found)")
        }
    }
}
