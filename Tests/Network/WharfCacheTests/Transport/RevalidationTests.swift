import Testing
import WharfCache
import WharfCore
import WharfFakes

@Suite struct RevalidationTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"1\"", .lastModified: date(-100)]

    @Test func a304ExtendsFreshnessAndKeepsTheBody() async throws {
        let rig = Rig(.ok("hello", fields: fields), .respond(.notModified, fields: [.server: "new"]))
        try await rig.read()
        rig.clock.advance(by: .seconds(15))
        let (response, text) = try await rig.read()
        #expect(text == "hello")
        #expect(response.provenance.source == .revalidated)
        #expect(response.provenance.asOf == noon + .seconds(15))
        #expect(response.provenance.cacheStatus?.fieldValue() == "wharf; fwd=stale; fwd-status=304; ttl=10; stored")
        #expect(response.head.headerFields[.server] == "new" && response.head.headerFields[.age] == "0")
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(rig.origin.requests.last?.head.headerFields[.ifModifiedSince] == date(-100))
        rig.clock.advance(by: .seconds(9))
        let hit = try await rig.read().response
        #expect(hit.provenance.source == .httpCache && hit.head.headerFields[.server] == "new")
        #expect(rig.origin.requests.count == 2)
    }

    @Test func theClientsOwnConditionsGiveWayToTheCaches() async throws {
        let rig = Rig(
            .ok("hello", fields: fields), .respond(.notModified), .respond(.notModified)
        )
        try await rig.read()
        rig.clock.advance(by: .seconds(15))
        let other = try await rig.read(get([.ifNoneMatch: "\"0\"", .ifModifiedSince: date(5)]))
        #expect(other.response.head.status == .ok && other.text == "hello")
        #expect(rig.origin.requests.last?.head.headerFields[values: .ifNoneMatch] == ["\"1\""])
        rig.clock.advance(by: .seconds(15))
        #expect(try await rig.read(get([.ifNoneMatch: "\"1\""])).response.head.status == .notModified)
    }

    @Test func theClientsConditionsGoThroughWhenNothingIsKept() async throws {
        let rig = Rig(.respond(.notModified))
        let response = try await rig.read(get([.ifNoneMatch: "\"7\""])).response
        #expect(response.head.status == .notModified && response.provenance.source == .network)
        #expect(rig.origin.requests.first?.head.headerFields[.ifNoneMatch] == "\"7\"")
        #expect(try await rig.kept() == nil)
    }

    @Test func notModifiedOfAnotherVersionIsRepeatedUnconditionally() async throws {
        let rig = Rig(
            .ok("hello", fields: fields), .respond(.notModified, fields: [.eTag: "\"2\""]),
            .ok("other", fields: [.eTag: "\"2\""])
        )
        try await rig.read()
        rig.clock.advance(by: .seconds(15))
        #expect(try await rig.text() == "other")
        #expect(rig.origin.requests.count == 3)
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == nil)
        #expect(try await rig.kept() == "other")
    }

    @Test func aConfirmedAnswerThatMayNotBeKeptIsServedAndRemoved() async throws {
        let rig = Rig(.ok("hello", fields: fields), .respond(.notModified, fields: [.cacheControl: "no-store"]))
        try await rig.read()
        rig.clock.advance(by: .seconds(15))
        #expect(try await rig.text() == "hello")
        #expect(try await rig.kept() == nil)
    }

    @Test func aFallbackCarriesTheFailureAndItsAge() async throws {
        let rig = Rig(
            .ok("hello", fields: fields), .failure(.timedOut), .respond(.badGateway, fields: [.retryAfter: "9"], "oops")
        )
        try await rig.read()
        rig.clock.advance(by: .seconds(15))
        let first = try await rig.read().response.provenance
        #expect(first.source == .httpCache && first.failure?.code == .timedOut)
        #expect(first.asOf == noon && first.staleAt == noon + .seconds(10))
        #expect(first.cacheStatus?.fieldValue() == "wharf; fwd=stale; ttl=-5; detail=STALE-ON-ERROR")
        let second = try await rig.read()
        #expect(second.text == "hello" && second.response.head.headerFields[.age] == "15")
        let failure = second.response.provenance.failure
        #expect(failure?.code == .serverFailed && failure?.response?.status == .badGateway)
        #expect(failure?.response?.headerFields[.retryAfter] == "9")
    }

    @Test func aSharedCachePassesAnErrorStatusOnUnlessStaleIfErrorPermits() async throws {
        for (control, expected) in [("max-age=10", 503), ("max-age=10, stale-if-error=60", 200)] {
            let rig = Rig(
                for: .shared, .ok("hello", fields: [.cacheControl: control]), .respond(.serviceUnavailable),
                .failure(.offline))
            try await rig.read()
            rig.clock.advance(by: .seconds(15))
            #expect(try await rig.read().response.head.status.code == expected)
            #expect(try await rig.text() == "hello")
        }
    }

    @Test func answerWithoutLifetimeIsRefetchedAndServedWhenOffline() async throws {
        let rig = Rig(.ok("one"), .ok("two"), .failure(.offline))
        #expect(try await rig.text() == "one")
        #expect(try await rig.text() == "two")
        let fallback = try await rig.read()
        #expect(fallback.text == "two" && fallback.response.provenance.failure?.code == .offline)
        #expect(fallback.response.provenance.staleAt == nil)
    }
}
