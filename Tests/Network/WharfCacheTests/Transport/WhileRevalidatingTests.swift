import Testing
import WharfCache
import WharfCore
import WharfFakes

/// `stale-while-revalidate` (RFC 5861 §3).
@Suite struct WhileRevalidatingTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=60", .eTag: "\"1\""]

    @Test func staleResponseIsServedAndReplaced() async throws {
        let rig = Rig(.ok("old", fields: fields), .ok("new", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        let (stale, text) = try await rig.read()
        #expect(text == "old" && stale.provenance.failure == nil)
        #expect(stale.provenance.cacheStatus?.fieldValue() == "wharf; hit; ttl=-1; detail=STALE-WHILE-REVALIDATE")
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.count == 2)
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(try await rig.text() == "new")
        #expect(rig.origin.requests.count == 2)
    }

    @Test func confirmedResponseIsFreshAgain() async throws {
        let rig = Rig(.ok("old", fields: fields), .respond(.notModified, fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.text() == "old")
        await rig.cache.revalidationsEnd()
        let (fresh, text) = try await rig.read()
        #expect(text == "old" && fresh.provenance.cacheStatus?.ttl == 10)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func manyReadsStartOneRevalidation() async throws {
        let gate = Gate()
        let rig = Rig { [fields] request in
            if request.head.headerFields[.ifNoneMatch] != nil { await gate.pass() }
            return .ok("text", fields: fields)
        }
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        for _ in 0..<20 { #expect(try await rig.text() == "text") }
        await gate.arrivals(1)
        gate.open()
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.count == 2)
    }

    @Test func manyStaleKeysStartABoundedNumber() async throws {
        let gate = Gate()
        let rig = Rig { [fields] request in
            if request.head.headerFields[.ifNoneMatch] != nil { await gate.pass() }
            return .ok("text", fields: fields)
        }
        for number in 0..<40 { try await rig.read(get(path: "/\(number)")) }
        rig.clock.advance(by: .seconds(11))
        for number in 0..<40 { #expect(try await rig.text(get(path: "/\(number)")) == "text") }
        await gate.arrivals(16)
        #expect(rig.origin.requests.count == 56)
        gate.open()
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.count == 56)
    }

    @Test func failedRevalidationLeavesTheStaleResponse() async throws {
        let rig = Rig(.ok("old", fields: fields), .failure(.connectionFailed), .ok("new", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.text() == "old")
        await rig.cache.revalidationsEnd()
        #expect(try await rig.text() == "old")
        await rig.cache.revalidationsEnd()
        #expect(try await rig.text() == "new")
    }

    @Test func responseBeyondTheWindowIsRevalidatedFirst() async throws {
        let rig = Rig(.ok("old", fields: fields), .ok("new", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(71))
        #expect(try await rig.text() == "new")
    }

    @Test(arguments: ["only-if-cached", "no-store"])
    func requestThatForbidsItStartsNoRevalidation(directive: String) async throws {
        let rig = Rig(.ok("old", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.text(get([.cacheControl: directive])) == "old")
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.count == 1)
    }

    @Test func readersRangeIsNotSentInTheBackground() async throws {
        let rig = Rig(.ok("0123456789", fields: fields), .ok("abcdefghij", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.text(get([.range: "bytes=0-1"])) == "01")
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.last?.head.headerFields[.range] == nil)
        #expect(try await rig.text() == "abcdefghij")
    }
}
