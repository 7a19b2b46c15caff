import Testing
import WharfAnalytics
import WharfCore
import WharfFakes
import WharfJSON
import WharfOutbox
import WharfStorage
import WharfTestServer

/// Segment's sink against a service that follows Segment's documentation.
struct SegmentTests {
    private let stage = VendorStage()

    private func service(limit: Int = SegmentRules.requestLimit) -> VendorService {
        VendorService(limit: limit, tooLarge: .badRequest) { request, body in
            SegmentRules.violations(of: request, body: body, writeKey: "write-key")
        }
    }

    @Test(arguments: [false, true]) func everyCallIsAsSegmentDocumentsIt(isCompressed: Bool) async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            let analytics = try await stage.analytics(stage.segment(server, isCompressed: isCompressed))
            try await stage.tour(analytics)
            let report = try await analytics.flush()
            #expect(report.delivered == 8)
            #expect(service.violations == [])
            try #require(service.events.count == 8)
            #expect(service.codings == [isCompressed ? "gzip" : nil])
            let types = service.events.compactMap { $0["type"]?.text }
            #expect(types == ["track", "screen", "identify", "group", "track", "alias", "identify", "track"])
            #expect(
                service.events.map { $0["userId"]?.text } == [
                    nil, nil, "u-17", "u-17", "u-17", "u-0017", "u-0017", nil,
                ])
            let anonymous = service.events.map { $0["anonymousId"]?.text }
            #expect(Set(anonymous.dropLast()).count == 1 && anonymous.last != anonymous.first)
            #expect(service.events[5]["previousId"] == "u-17")
            #expect(service.events[4]["properties"]?["theme"] == "dark")
            #expect(service.events[4]["context"] == ["groupId": "acme", "locale": "en-US"])
            #expect(service.events[2]["traits"] == ["first_plan": "free", "plan": "pro"])
            await stage.outbox.close()
        }
    }

    /// Segment answers 400 to a body that is too large.
    @Test func aBatchThatSegmentFindsTooLargeIsSentInParts() async throws {
        try await TestServer.run { server in
            let service = service(limit: 1_200)
            service.serve(on: server)
            let analytics = try await stage.analytics(stage.segment(server))
            for number in 0..<20 { try await analytics.track("Opened \(number)") }
            try await analytics.flush()
            #expect(service.violations == [])
            #expect(service.events.compactMap { $0["event"]?.text } == (0..<20).map { "Opened \($0)" })
            #expect(service.batches.count > 1)
            #expect(try await analytics.counts().sinks["segment"]?.dead == 0)
            await stage.outbox.close()
        }
    }

    @Test func aRateLimitHoldsTheBatchAsLongAsItSays() async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            service.refuse(.status(.tooManyRequests, fields: [.retryAfter: "30"]))
            let analytics = try await stage.analytics(stage.segment(server))
            try await analytics.track("Opened")
            #expect(try await analytics.flush().failed == 1)
            stage.clock.advance(by: .seconds(29))
            #expect(try await analytics.flush().delivered == 0)
            #expect(service.events.isEmpty)
            stage.clock.advance(by: .seconds(3))
            #expect(try await analytics.flush().delivered == 1)
            #expect(service.violations == [] && service.events.count == 1)
            await stage.outbox.close()
        }
    }

    @Test func anEventOfSegmentsLimitIsSentAndALargerOneRefused() async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            let analytics = try await stage.analytics(stage.segment(server))
            let error = await #expect(throws: AnalyticsError.self) {
                try await analytics.track("Pasted", ["text": .init(.string(String(repeating: "x", count: 32_000)))])
            }
            let size = try #require(error?.size)
            #expect(error?.code == .tooLarge && size.limit == 32_000)
            let most = 32_000 - (size.bytes - 32_000 - 1) - 2
            // One byte below the limit.
            try await analytics.track("Pasted", ["text": .init(.string(String(repeating: "x", count: most)))])
            try await analytics.flush()
            #expect(service.violations == [] && service.events.map(\.byteCount) == [31_999])
            await stage.outbox.close()
        }
    }

    @Test func aRequestIsNeverLargerThanSegmentTakes() async throws {
        try await TestServer.run { server in
            let service = service()
            service.serve(on: server)
            let sink: HTTPCollector = .segment(
                writeKey: "write-key", transport: stage.transport, host: server.authority, scheme: "http",
                limits: BatchLimits(entries: 100, bytes: 10_000_000), clock: stage.clock.wall)
            let analytics = try await stage.analytics(sink)
            let text = JSONValue(.string(String(repeating: "x", count: 30_000)))
            for _ in 0..<40 { try await analytics.track("Pasted", ["text": text]) }
            try await analytics.flush()
            #expect(service.violations == [])
            #expect(service.events.count == 40 && service.batches.count > 2)
            // No request was refused, as the sink knows the limit.
            #expect(server.requests.count == service.batches.count)
            await stage.outbox.close()
        }
    }
}
