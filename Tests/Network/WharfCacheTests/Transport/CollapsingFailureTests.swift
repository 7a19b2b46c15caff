import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStorage

/// Leaders and followers that fail, leave or are slow.
@Suite struct CollapsingFailureTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=60"]

    @Test func failedLeaderIsReplacedByOneFollower() async throws {
        let rig = HeldRig(.failure(.connectionFailed), .ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(5)
        rig.first.open()
        #expect(await code { _ = try await leader.value } == .connectionFailed)
        for follower in followers { #expect(try await follower.value.text == "text") }
        #expect(rig.origin.requests.count == 2)
    }

    @Test func followersGoOnAfterTheSecondFailure() async throws {
        let rig = HeldRig(.failure(.connectionFailed), .failure(.connectionFailed), .ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(5)
        rig.first.open()
        #expect(await code { _ = try await leader.value } == .connectionFailed)
        var failures = 0
        for follower in followers {
            if await code({ _ = try await follower.value }) != nil { failures += 1 }
        }
        // The second leader alone: no failure is passed to another request.
        #expect(failures == 1)
        #expect(rig.origin.requests.count == 6)
    }

    @Test func leaderWhoseBodyBreaksOffKeepsItsPiecesAndIsReplaced() async throws {
        let rig = HeldRig(.broken([[1], [2]], fields: fields), .ok("text", fields: fields))
        let body = Mutex<BodyStream?>(nil)
        let leader = Task {
            let stream = try await rig.cache.send(get()).body
            body.withLock { $0 = stream }
        }
        await rig.first.arrivals()
        let followers = await rig.follow(3)
        rig.first.open()
        for follower in followers { #expect(try await follower.value.text == "text") }
        try await leader.value
        let stream = try #require(body.withLock { $0 })
        var pieces: [[UInt8]] = []
        let failure = await code { for try await piece in stream { pieces.append(piece) } }
        #expect(pieces == [[1], [2]] && failure == .connectionLost)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func staleResponseStandsInForTheLeaderAlone() async throws {
        let rig = HeldRig(
            .failure(.connectionFailed), .ok("old", fields: [.cacheControl: "max-age=1"]), .ok("new", fields: fields))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(5))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        #expect(try await leader.value.text == "old")
        for follower in followers { #expect(try await follower.value.text == "new") }
        #expect(rig.origin.requests.count == 3)
    }

    @Test func cancelledLeaderIsReplacedByOneFollower() async throws {
        let rig = HeldRig(.ok("never", fields: fields), .ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(5)
        leader.cancel()
        for follower in followers { #expect(try await follower.value.text == "text") }
        #expect(await code { _ = try await leader.value } == .cancelled)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func cancelledFollowerEndsItsOwnWait() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        followers[1].cancel()
        #expect(await code { _ = try await followers[1].value } == .cancelled)
        rig.first.open()
        #expect(try await leader.value.text == "text")
        #expect(try await followers[0].value.text == "text")
        #expect(try await followers[2].value.text == "text")
        #expect(rig.origin.requests.count == 1)
    }

    @Test func cancelledFollowerDoesNotLead() async throws {
        let rig = HeldRig(.failure(.connectionFailed), .ok("text", fields: fields))
        let leader = await rig.lead()
        let cancelled = await rig.follow(1)[0]
        let follower = await rig.follow(1, after: 1)[0]
        cancelled.cancel()
        #expect(await code { _ = try await cancelled.value } == .cancelled)
        rig.first.open()
        #expect(try await follower.value.text == "text")
        #expect(await code { _ = try await leader.value } == .connectionFailed)
    }

    @Test func headDoesNotReplaceAFailedLeader() async throws {
        let rig = HeldRig(.failure(.connectionFailed), .ok("text", fields: fields))
        let leader = await rig.lead()
        let head = await rig.follow(1, get(method: .head))[0]
        let follower = await rig.follow(1, after: 1)[0]
        rig.first.open()
        #expect(await code { _ = try await leader.value } == .connectionFailed)
        #expect(try await follower.value.status.contains("stored; collapsed=?0"))
        #expect(try await head.value.status.hasSuffix("; collapsed"))
        #expect(rig.origin.requests.map(\.head.method) == [.get, .get])
    }

    @Test func followerWaitsNoLongerThanItsTimeout() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(timeout: .seconds(10)))[0]
        let patient = await rig.follow(1, get(timeout: .seconds(30)), after: 1)[0]
        await rig.clock.untilSleeping(2)
        rig.clock.advance(by: .seconds(10))
        #expect(await code { _ = try await follower.value } == .timedOut)
        rig.first.open()
        #expect(try await leader.value.text == "text")
        #expect(try await patient.value.text == "text")
        #expect(rig.origin.requests.count == 1)
    }

    @Test func timedOutFollowerGetsTheStaleResponse() async throws {
        let rig = HeldRig(.ok("new", fields: fields), .ok("old", fields: [.cacheControl: "max-age=1"]))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(5))
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(timeout: .seconds(10)))[0]
        await rig.clock.untilSleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(try await follower.value.text == "old")
        rig.first.open()
        #expect(try await leader.value.text == "new")
    }

    @Test func formerFollowersRequestHasTheRestOfItsTime() async throws {
        let rig = HeldRig(.failure(.connectionFailed), .ok("text", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(timeout: .seconds(10)))[0]
        await rig.clock.untilSleeping()
        rig.clock.advance(by: .seconds(4))
        rig.first.open()
        #expect(try await follower.value.text == "text")
        #expect(await code { _ = try await leader.value } == .connectionFailed)
        #expect(rig.origin.requests.last?.timeout == .seconds(6))
    }

    @Test func bodyIsStoredForFollowersWhileItsReaderDoesNotRead() async throws {
        let rig = HeldRig(StubAnswer(head: HTTPResponse(status: .ok, headerFields: fields), chunks: [[0x61], [0x62]]))
        let leader = Task { try await rig.cache.send(get()) }
        await rig.first.arrivals()
        let followers = await rig.follow(3)
        rig.first.open()
        for follower in followers { #expect(try await follower.value.text == "ab") }
        #expect(try await leader.value.body.collect() == [0x61, 0x62])
        #expect(rig.origin.requests.count == 1)
    }

    @Test func requestDoesNotWaitForABodyWhoseReaderSetsThePace() async throws {
        let rig = HeldRig(.ok("first", fields: fields), .ok("second", fields: fields))
        rig.first.open()
        // No request waits when the head arrives, so the body is not read ahead.
        let response = try await rig.cache.send(get())
        #expect(try await rig.read().text == "second")
        #expect(try await response.body.collect() == Array("first".utf8))
    }

    @Test(arguments: [true, false])
    func followersOfALongBodySendTheirOwnRequests(isAnnounced: Bool) async throws {
        let piece = [UInt8](repeating: 0x61, count: 400_000)
        var long = StubAnswer(
            head: HTTPResponse(status: .ok, headerFields: fields), chunks: [piece, piece, piece, piece])
        // A body with a failure has no announced length.
        if !isAnnounced { long.failure = TransportError(.connectionLost, message: "scripted") }
        let rig = HeldRig(long, .ok("own", fields: fields))
        let leader = Task { try await rig.cache.send(get()) }
        await rig.first.arrivals()
        let followers = await rig.follow(3)
        rig.first.open()
        for follower in followers { #expect(try await follower.value.text == "own") }
        let response = try await leader.value
        var count = 0
        let failure = await code { for try await piece in response.body { count += piece.count } }
        #expect(count == 1_600_000 && (failure == nil) == isAnnounced)
        #expect(rig.origin.requests.count == 4)
    }

    @Test func storeThatRefusesAResponseReleasesTheFollowers() async throws {
        let rig = HeldRig(
            store: MemoryCacheStore(byteLimit: 10), .ok("first", fields: fields), .ok("own", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        #expect(try await leader.value.text == "first")
        for follower in followers { #expect(try await follower.value.text == "own") }
        #expect(rig.origin.requests.count == 4)
    }

    @Test func followersWaitForANewRequestAfterAnInvalidation() async throws {
        let rig = HeldRig(.ok("old", fields: fields), .ok("new", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        // RFC 9111 §4.4. The first answer is still held.
        _ = try await rig.read(get(method: .post))
        for follower in followers { #expect(try await follower.value.text == "new") }
        rig.first.open()
        #expect(try await leader.value.text == "old")
        #expect(try await rig.read().text == "new")
        #expect(rig.origin.requests.map(\.head.method) == [.get, .post, .get])
    }

    @Test func responseThatIsInvalidatedDuringTheLookupIsNotServed() async throws {
        let (hasLookedUp, mayReturn) = (Gate(), Gate())
        let store = SlowLookups(hasLookedUp, mayReturn)
        let rig = HeldRig(store: store, .ok("old", fields: fields), .ok("new", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1)[0]
        store.isSlow.withLock { $0 = true }
        rig.first.open()
        #expect(try await leader.value.text == "old")
        await hasLookedUp.arrivals()
        _ = try await rig.read(get(method: .post))
        mayReturn.open()
        #expect(try await follower.value.text == "new")
    }

    /// A store whose lookups return only when a gate is open.
    private final class SlowLookups: CacheStore {
        private let base = MemoryCacheStore()
        let isSlow = Mutex(false)
        private let hasLookedUp: Gate
        private let mayReturn: Gate

        init(_ hasLookedUp: Gate, _ mayReturn: Gate) {
            (self.hasLookedUp, self.mayReturn) = (hasLookedUp, mayReturn)
            hasLookedUp.open()
        }

        func lookup(
            _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
        ) async throws(StoreError) -> CacheLookup {
            let found = try await base.lookup(key, select: select)
            if isSlow.withLock({ $0 }) {
                await hasLookedUp.pass()
                await mayReturn.pass()
            }
            return found
        }

        func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
            try await base.begin(key, head)
        }

        func update(
            _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
        ) async throws(StoreError) { try await base.update(id, under: key, to: head) }

        func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
            try await base.remove(id, under: key)
        }

        func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
        func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
    }
}
