import Testing
import WharfCache
import WharfCore
import WharfFakes

/// Partitions of the cache by top-level site (Fetch, "HTTP cache partitions").
@Suite struct PartitionTests {
    private static let fields: HTTPFields = [.cacheControl: "max-age=60"]

    @Test func answerForOneSiteIsNoHitForAnother() async throws {
        let rig = Rig(
            .ok("of a", fields: Self.fields), .ok("of b", fields: Self.fields), .ok("own", fields: Self.fields))
        let requests = [get(from: "https://a.test"), get(from: "https://b.test"), get()]
        for (request, text) in zip(requests, ["of a", "of b", "own"]) {
            #expect(try await rig.kept(request) == nil)
            #expect(try await rig.text(request) == text)
        }
        for (request, text) in zip(requests, ["of a", "of b", "own"]) { #expect(try await rig.text(request) == text) }
        #expect(rig.origin.requests.count == 3)
    }

    @Test func siteAndAccountPartitionTogether() async throws {
        let rig = Rig { _ in .ok("x", fields: Self.fields) }
        try await rig.read(get(account: Account("1"), from: "2"))
        for other in [get(account: Account("1")), get(from: "2"), get(account: Account("2"), from: "1")] {
            #expect(try await rig.kept(other) == nil)
        }
        #expect(try await rig.kept(get(account: Account("1"), from: "2")) == "x")
    }

    @Test func concurrentRequestsOfTwoSitesAreNotCollapsed() async throws {
        let gate = Gate()
        defer { gate.open() }
        let rig = Rig { _ in StubAnswer.ok("x", fields: Self.fields).held(by: gate) }
        async let first = rig.text(get(from: "https://a.test"))
        await gate.arrivals()
        async let second = rig.text(get(from: "https://b.test"))
        await gate.arrivals(2)
        gate.open()
        _ = try await (first, second)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func olderAnswerOfAnotherSiteIsStoredAfterANewerOne() async throws {
        let rig = Rig(.ok("of a", fields: Self.fields), .ok("of b", fields: Self.fields))
        let slow = try await rig.cache.send(get(from: "https://a.test"))
        #expect(try await rig.text(get(from: "https://b.test")) == "of b")
        _ = try await slow.body.collect()
        #expect(try await rig.kept(get(from: "https://a.test")) == "of a")
    }
}
