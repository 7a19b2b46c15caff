import Testing
import WharfCache
import WharfCore
import WharfFakes

/// Collapsed requests (RFC 9111 §4).
@Suite struct CollapsingTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=60"]

    @Test func concurrentMissesSendOneRequest() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(19)
        rig.first.open()
        #expect(try await leader.value.status == "wharf; fwd=uri-miss; fwd-status=200; stored")
        for follower in followers {
            let answer = try await follower.value
            #expect(answer.text == "text")
            // RFC 9211 §2.6.
            #expect(answer.status == "wharf; fwd=uri-miss; ttl=60; collapsed")
        }
        #expect(rig.origin.requests.count == 1)
    }

    @Test func sharedCacheCollapsesMisses() async throws {
        let rig = HeldRig(for: .shared, .ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        _ = try await leader.value
        for follower in followers { #expect(try await follower.value.text == "text") }
        #expect(rig.origin.requests.count == 1)
    }

    @Test func concurrentRevalidationsSendOneRequest() async throws {
        let tagged: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
        let rig = HeldRig(.respond(.notModified, fields: tagged), .ok("old", fields: tagged))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(61))
        let leader = await rig.lead()
        let followers = await rig.follow(9)
        rig.first.open()
        #expect(try await leader.value.text == "old")
        for follower in followers {
            #expect(try await follower.value.status == "wharf; fwd=stale; ttl=60; collapsed")
        }
        #expect(rig.origin.requests.count == 2)
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
    }

    struct UnusableAnswer: Sendable {
        var fields: HTTPFields = [:]
        var status = 200
        var configuration = CacheConfiguration.privateClient
    }

    @Test(arguments: [
        UnusableAnswer(fields: [.cacheControl: "no-store"]),
        UnusableAnswer(fields: [.cacheControl: "private, max-age=60"], configuration: .shared),
        UnusableAnswer(fields: [.cacheControl: "max-age=60", .vary: "*"]),
        UnusableAnswer(fields: [.cacheControl: "no-cache"]),
        UnusableAnswer(),
        UnusableAnswer(status: 500),
    ])
    func unusableAnswerReleasesTheFollowersAtItsHead(unusable: UnusableAnswer) async throws {
        // The body of the first answer does not arrive before the others are answered.
        let body = Gate()
        var slow = StubAnswer.respond(.init(code: unusable.status), fields: unusable.fields, "first")
        slow.bodyGate = body
        let rig = HeldRig(for: unusable.configuration, slow, .ok("own", fields: unusable.fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        for follower in followers {
            let answer = try await follower.value
            #expect(answer.text == "own")
            #expect(answer.status.hasSuffix("; collapsed=?0"), "\(answer.status)")
        }
        body.open()
        #expect(try await leader.value.text == "first")
        #expect(rig.origin.requests.count == 4)
    }

    @Test func unusableAnswerIsRememberedForItsKey() async throws {
        let rig = HeldRig(.ok("x", fields: [.cacheControl: "no-store"]), .ok("x", fields: [.cacheControl: "no-store"]))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        let leader = await rig.lead()
        // It is answered although the first is held.
        #expect(try await rig.read().status == "wharf; fwd=uri-miss; fwd-status=200; stored=?0")
        rig.first.open()
        _ = try await leader.value
    }

    @Test func errorStatusIsNotRememberedForItsKey() async throws {
        let rig = HeldRig(.ok("text", fields: fields), .respond(.serviceUnavailable))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        let leader = await rig.lead()
        let follower = await rig.follow(1)[0]
        rig.first.open()
        #expect(try await leader.value.text == "text")
        #expect(try await follower.value.text == "text")
    }

    @Test func usableAnswerEndsTheMemoryOfAnUnusableOne() async throws {
        let rig = HeldRig(
            .ok("z", fields: fields), .ok("x", fields: [.cacheControl: "no-store"]),
            .ok("y", fields: [.cacheControl: "max-age=1"]))
        rig.isHeld.set(false)
        _ = try await rig.read()
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(5))
        let leader = await rig.lead()
        let followers = await rig.follow(2)
        rig.first.open()
        _ = try await leader.value
        for follower in followers { #expect(try await follower.value.text == "z") }
        #expect(rig.origin.requests.count == 3)
    }

    @Test func followerOfAnotherVariantIsReleasedAtTheHead() async throws {
        let body = Gate()
        var slow = StubAnswer.ok("a", fields: [.cacheControl: "max-age=60", .vary: "Accept"])
        slow.bodyGate = body
        // If it were stored, the answer to the earlier request would not be.
        let rig = HeldRig(slow, .ok("b", fields: [.cacheControl: "no-store", .vary: "Accept"]))
        let leader = await rig.lead(get([.accept: "a"]))
        let same = await rig.follow(1, get([.accept: "a"]))
        let other = await rig.follow(1, get([.accept: "b"]), after: 1)
        rig.first.open()
        #expect(try await other[0].value.text == "b")
        body.open()
        #expect(try await leader.value.text == "a")
        #expect(try await same[0].value.text == "a")
        #expect(rig.origin.requests.count == 2)
    }

    @Test(arguments: [
        get([.cacheControl: "no-store"]), get([.cacheControl: "no-cache"]), get([.cacheControl: "max-age=0"]),
        get([.range: "bytes=0-1"]), get(cache: .reload), get(cache: .bypass), get(account: Account("ada")),
        get(path: "/b"),
    ])
    func requestThatAsksTheOriginDoesNotWait(request: TransportRequest) async throws {
        let rig = HeldRig(.ok("first", fields: fields), .ok("own", fields: fields))
        let leader = await rig.lead()
        let answer = try await rig.read(request)
        #expect(answer.text == "own" && !answer.status.contains("collapsed"))
        rig.first.open()
        _ = try await leader.value
        #expect(rig.origin.requests.count == 2)
    }

    @Test(arguments: [
        get([.cacheControl: "no-store"]), get([.range: "bytes=0-1"]), get(method: .head), get(cache: .bypass),
        get([.ifNoneMatch: "\"1\""]),
    ])
    func requestWithoutAStorableAnswerIsNotWaitedFor(request: TransportRequest) async throws {
        let rig = HeldRig(.ok("first", fields: fields), .ok("own", fields: fields))
        let first = await rig.lead(request)
        #expect(try await rig.read().text == "own")
        rig.first.open()
        _ = try await first.value
    }

    @Test func headIsAnsweredFromTheLeadersResponse() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(method: .head))[0]
        rig.first.open()
        #expect(try await leader.value.text == "text")
        let answer = try await follower.value
        #expect(answer.text.isEmpty && answer.status.hasSuffix("; collapsed"))
        #expect(rig.origin.requests.count == 1)
    }

    @Test func backgroundRevalidationIsWaitedFor() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=60", .eTag: "\"1\""]
        let rig = HeldRig(.ok("new", fields: fields), .ok("old", fields: fields))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.read().text == "old")
        await rig.first.arrivals()
        let follower = await rig.follow(1, get([.cacheControl: "max-age=5"]))[0]
        rig.first.open()
        #expect(try await follower.value.text == "new")
        await rig.cache.revalidationsEnd()
        #expect(rig.origin.requests.count == 2)
    }

    @Test func readThatStartsNoSecondRevalidationGetsTheStaleResponse() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=60", .eTag: "\"1\""]
        let rig = HeldRig(.ok("new", fields: fields), .ok("old", fields: fields))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(11))
        let leader = await rig.lead(get([.cacheControl: "max-age=5"]))
        #expect(try await rig.read().text == "old")
        await rig.cache.revalidationsEnd()
        rig.first.open()
        #expect(try await leader.value.text == "new")
        #expect(rig.origin.requests.count == 2)
    }
}
