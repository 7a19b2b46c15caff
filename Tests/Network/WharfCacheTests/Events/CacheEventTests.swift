import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

@Suite struct CacheEventTests {
    private let fields: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"1\""]

    @Test(arguments: EventRow.all)
    func requestGivesTheEventsOfTheTable(row: EventRow) async throws {
        let (rig, _) = try await row.run()
        #expect(rig.events.lines == row.events)
        #expect(rig.events.all.count(where: \.isOutcome) == 1)
    }

    @Test(arguments: EventRow.all)
    func answerHasACacheStatus(row: EventRow) async throws {
        let (rig, response) = try await row.run()
        guard let response else {
            #expect(rig.events.all.last?.kind == .failed)
            return
        }
        #expect((response.provenance.cacheStatus != nil) == row.hasStatus)
    }

    /// Another kind may come with an account, because answers to credentials are then stored.
    @Test(arguments: EventRow.all)
    func eventHasNoSecretAndNoQuery(row: EventRow) async throws {
        let (rig, _) = try await row.run { request in
            var request = request
            request.account = Account("s3cret-account")
            if request.head.scheme == "https" {
                request.head.authority = "s3cret:p@s3cret@example.com"
                request.head.path = "/a?key=s3cret&s3cret#s3cret"
            }
            request.head.headerFields[.authorization] = "Bearer s3cret"
            request.head.headerFields[.cookie] = "id=s3cret"
            return request
        }
        #expect(rig.events.all.count(where: \.isOutcome) == 1)
        for event in rig.events.all { #expect(!"\(event)".contains("s3cret"), "\(event)") }
        for incident in rig.incidents.all { #expect(!incident.message.contains("s3cret"), "\(incident.message)") }
    }

    @Test func everyReasonIsInTheTable() {
        let lines = Set(EventRow.all.flatMap(\.events))
        // The others come only from several requests: see the tests of this suite.
        for reason in CacheEvent.NotStoredReason.allCases where ![.abandoned, .outdated].contains(reason) {
            #expect(lines.contains { $0.hasPrefix("notStored \(reason.rawValue)") }, "\(reason)")
        }
        // `invalid` comes from a reader: see `CompletedResponseTests`.
        for reason in CacheEvent.RemovalReason.allCases where reason != .invalid {
            #expect(lines.contains("removed \(reason.rawValue)"), "\(reason)")
        }
    }

    @Test func hitHasItsAgeAndTheLengthOfItsBody() async throws {
        let rig = Rig(.ok("hello", fields: fields))
        try await rig.read()
        rig.clock.advance(by: .seconds(7))
        try await rig.read()
        #expect(
            rig.events.all == [
                CacheEvent(.miss, target: "https://example.com/a", status: 200, byteCount: 5)
                    .adding(forward: .uriMiss, forwardStatus: 200, age: .zero),
                CacheEvent(.stored, target: "https://example.com/a", status: 200, byteCount: 5),
                CacheEvent(.hit, target: "https://example.com/a", status: 200, byteCount: 5)
                    .adding(age: .seconds(7)),
            ])
    }

    @Test func staleResponseInPlaceOfAFailureHasBothStatuses() async throws {
        let rig = Rig(.ok("hello", fields: fields), .respond(.serviceUnavailable))
        try await rig.read()
        rig.clock.advance(by: .seconds(20))
        rig.events.clear()
        try await rig.read()
        #expect(
            rig.events.all == [
                CacheEvent(
                    .stale(.failure), target: "https://example.com/a", status: 200, byteCount: 5,
                    failure: .serverFailed
                ).adding(forward: .stale, forwardStatus: 503, age: .seconds(20))
            ])
    }

    /// A kept response takes the place of the four failures of a server alone.
    @Test(arguments: [
        (500, true, "stale failure serverFailed"), (502, true, "stale failure serverFailed"),
        (503, true, "stale failure serverFailed"), (504, true, "stale failure serverFailed"),
        (501, true, "miss stale"), (503, false, "miss uri-miss"),
    ])
    func failureOfTheOriginIsInTheEventAsInTheCacheStatus(status: Int, isKept: Bool, line: String) async throws {
        let kept = isKept ? [StubAnswer.ok("old", fields: fields)] : []
        let answers = Mutex(kept + [.respond(.init(code: status))])
        let rig = Rig(for: .privateClient) { _ in answers.withLock { $0.removeFirst() } }
        if isKept {
            try await rig.read()
            rig.clock.advance(by: .seconds(20))
        }
        let isReplaced = line.hasPrefix("stale failure")
        let answer = try await rig.read().response
        let outcome = rig.events.all.last { $0.isOutcome }
        let event = try #require(outcome)
        #expect(event.line == line)
        #expect((event.status, event.forwardStatus) == (isReplaced ? 200 : status, status))
        #expect(event.isFailureOfOrigin == (status != 501))
        let reported = try #require(answer.provenance.cacheStatus)
        #expect(reported.hit == isReplaced)
        #expect((reported.forward, reported.forwardStatus) == (event.forward, event.forwardStatus))
    }

    @Test func invalidationReportsEachTarget() async throws {
        let rig = Rig(.respond(.created, fields: [.contentLocation: "/z", .location: "https://other.example/x"]))
        try await rig.read(get(method: .post))
        #expect(rig.events.all.map(\.target).prefix(2) == ["https://example.com/a", "https://example.com/z"])
        #expect(rig.events.lines == ["removed invalidated", "removed invalidated", "passedOn method"])
        #expect(rig.events.all.map(\.method) == ["GET", "GET", "POST"])
    }

    @Test func abandonedBodyIsNotStored() async throws {
        let rig = Rig(.ok("text", fields: fields))
        _ = try await rig.cache.send(get())
        #expect(rig.events.lines == ["miss uri-miss", "notStored abandoned"])
    }

    @Test func olderAnswerIsOutdated() async throws {
        let rig = Rig(.ok("older", fields: fields), .ok("newer", fields: fields))
        let slow = try await rig.cache.send(get())
        try await rig.read()
        _ = try await slow.body.collect()
        #expect(rig.events.lines == ["miss uri-miss", "miss uri-miss", "stored", "notStored outdated"])
    }

    @Test func answerDuringAnInvalidationIsOutdated() async throws {
        let rig = Rig(.ok("older", fields: fields), .respond(.noContent))
        let slow = try await rig.cache.send(get())
        try await rig.read(get(method: .post))
        _ = try await slow.body.collect()
        #expect(
            rig.events.lines == [
                "miss uri-miss", "removed invalidated", "passedOn method", "notStored outdated",
            ])
    }

    // MARK: Several requests

    @Test func followersAreCollapsed() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        for task in [leader] + followers { _ = try await task.value }
        // The leader stores the body for its followers, before it returns.
        #expect(rig.events.lines.first == "stored")
        #expect(
            rig.events.lines.dropFirst().sorted()
                == ["collapsed uri-miss", "collapsed uri-miss", "collapsed uri-miss", "miss uri-miss"])
    }

    @Test func followerOfAnAnswerThatIsNotStoredMisses() async throws {
        let rig = HeldRig(.ok("first", fields: [.cacheControl: "no-store"]), .ok("own", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1)[0]
        rig.first.open()
        for task in [leader, follower] { _ = try await task.value }
        #expect(rig.events.lines.sorted() == ["miss uri-miss", "miss uri-miss", "notStored noStore", "stored"])
    }

    @Test func followerWhoseTimeEndsFails() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(timeout: .seconds(10)))[0]
        await rig.clock.untilSleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(await code { _ = try await follower.value } == .timedOut)
        #expect(rig.events.lines == ["failed timedOut"])
        rig.first.open()
        _ = try await leader.value
        #expect(rig.events.lines == ["failed timedOut", "miss uri-miss", "stored"])
    }

    @Test func followerWhoseTimeEndsGetsTheStaleResponse() async throws {
        let rig = HeldRig(.ok("new", fields: fields), .ok("old", fields: fields))
        rig.isHeld.set(false)
        _ = try await rig.read()
        rig.isHeld.set(true)
        rig.clock.advance(by: .seconds(20))
        rig.events.clear()
        let leader = await rig.lead()
        let follower = await rig.follow(1, get(timeout: .seconds(10)))[0]
        await rig.clock.untilSleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(try await follower.value.text == "old")
        #expect(rig.events.lines == ["stale failure timedOut"])
        rig.first.open()
        _ = try await leader.value
        #expect(rig.events.lines == ["stale failure timedOut", "stored", "miss stale"])
    }

    @Test func cancelledRequestsFail() async throws {
        let rig = HeldRig(.ok("text", fields: fields), .ok("other", fields: fields))
        let leader = await rig.lead()
        let follower = await rig.follow(1)[0]
        follower.cancel()
        #expect(await code { _ = try await follower.value } == .cancelled)
        leader.cancel()
        #expect(await code { _ = try await leader.value } == .cancelled)
        #expect(rig.events.lines == ["failed cancelled", "failed cancelled"])
    }

    @Test func requestWhoseTimeEndsFails() async throws {
        let rig = HeldRig(.ok("text", fields: fields))
        let task = await rig.lead(get(timeout: .seconds(10)))
        await rig.clock.untilSleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(await code { _ = try await task.value } == .timedOut)
        #expect(rig.events.lines == ["failed timedOut"])
    }

    // MARK: Revalidations in the background

    static let background: [(StubAnswer, [String])] = [
        (.respond(.notModified), ["revalidatedInBackground confirmed"]),
        (
            .ok("new", fields: [.cacheControl: "max-age=10"]),
            ["stored", "revalidatedInBackground answered"]
        ),
        (
            .respond(.notFound, fields: [.cacheControl: "no-store"]),
            ["removed superseded", "notStored noStore", "revalidatedInBackground answered"]
        ),
        (.failure(.connectionFailed), ["revalidatedInBackground failed connectionFailed"]),
        (.respond(.serviceUnavailable), ["revalidatedInBackground failed serverFailed"]),
        (.broken([[1]]), ["revalidatedInBackground failed connectionLost"]),
    ]

    @Test(arguments: background.indices)
    func revalidationReportsItsEnd(index: Int) async throws {
        let (answer, expected) = Self.background[index]
        let gate = Gate()
        let swr: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=60", .eTag: "\"1\""]
        let rig = Rig(.ok("old", fields: swr), answer.held(by: gate))
        try await rig.read()
        rig.clock.advance(by: .seconds(20))
        rig.events.clear()
        let status = try await rig.read().response.provenance.cacheStatus
        #expect(status?.hit == true)
        // Held until here: the background may otherwise report before the request.
        #expect(rig.events.lines == ["stale whileRevalidating"])
        gate.open()
        await rig.cache.revalidationsEnd()
        #expect(rig.events.lines == ["stale whileRevalidating"] + expected)
    }

    // MARK: The handler

    @TaskLocal private static var request = ""

    @Test func handlerRunsWithTheTaskLocalValuesOfTheRequest() async throws {
        let seen = Mutex<[String]>([])
        let clock = TestClock(start: noon)
        let origin = StubTransport(
            clock: clock.wall, timer: clock, [.ok("text", fields: fields), .respond(.noContent)])
        var configuration = CacheConfiguration.privateClient
        configuration.onEvent = { event in
            let request = Self.request
            seen.withLock { $0.append("\(request): \(event.line)") }
        }
        let cache = CachingTransport(
            origin, store: MemoryCacheStore(), configuration: configuration, clock: clock.wall, timer: clock,
            onIncident: { _ in })
        for (name, method) in [("first", HTTPRequest.Method.get), ("second", .get), ("third", .post)] {
            try await Self.$request.withValue(name) {
                _ = try await cache.send(get(method: method)).body.collect()
            }
        }
        #expect(
            seen.withLock { $0 } == [
                "first: miss uri-miss", "first: stored", "second: hit", "third: removed invalidated",
                "third: passedOn method",
            ])
    }
}
