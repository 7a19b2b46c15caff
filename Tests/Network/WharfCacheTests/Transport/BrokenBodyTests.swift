import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// Bodies that break off, and whose bytes are stored as a part (RFC 9111 §3.3, §3.4).
@Suite struct BrokenBodyTests {
    private static let least = Int(CachePolicy.shortestPart)
    private static let bytes = text("a", 20_000)
    private static let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    /// Returns a text that differs from place to place.
    private static func text(_ first: Character, _ count: Int) -> [UInt8] {
        var value = UInt32(first.asciiValue ?? 0)
        return (0..<count).map { _ in
            value = value &* 1_664_525 &+ 1_013_904_223
            return UInt8(97 + (value >> 16) % 26)
        }
    }

    private static func string(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Returns an answer that breaks off after `count` bytes; nil for all bytes.
    private static func answer(
        _ place: Range<Int>? = nil, of bytes: [UInt8] = bytes, cutAfter count: Int? = nil,
        _ fields: HTTPFields = fields, by code: TransportError.Code = .connectionLost
    ) -> StubAnswer {
        var fields = fields
        let content = Array(bytes[place ?? 0..<bytes.count])
        fields[.contentLength] = fields[.contentLength] ?? String(content.count)
        if let place { fields[.contentRange] = "bytes \(place.lowerBound)-\(place.upperBound - 1)/\(bytes.count)" }
        let status: HTTPResponse.Status = place == nil ? .ok : .partialContent
        return StubAnswer(
            head: HTTPResponse(status: status, headerFields: fields),
            // Pieces of several sizes, none of which is empty.
            chunks: stride(from: 0, to: count ?? content.count, by: 5_000).map {
                Array(content[$0..<min($0 + 5_000, count ?? content.count)])
            },
            failure: count.map { _ in TransportError(code, message: "scripted") })
    }

    private static func range(_ first: Int, _ end: Int, cache: CacheMode = .normal) -> TransportRequest {
        get([.range: "bytes=\(first)-\(end - 1)"], cache: cache)
    }

    private func expectPart(_ rig: Rig, _ place: Range<Int>, of bytes: [UInt8] = bytes) async throws {
        let kept = try await rig.kept(Self.range(place.lowerBound, place.upperBound))
        #expect(kept == Self.string(bytes[place]))
        if place.upperBound < bytes.count {
            #expect(try await rig.kept(Self.range(place.lowerBound, place.upperBound + 1)) == nil)
        }
        #expect(try await rig.kept() == nil)
    }

    // MARK: The whole

    @Test func brokenBodyIsCompletedByARequestForTheRest() async throws {
        let rig = Rig(Self.answer(cutAfter: 17_000), Self.answer(17_000..<20_000))
        #expect(await code { try await rig.read() } == .connectionLost)
        try await expectPart(rig, 0..<17_000)
        #expect(try await rig.read(get([.cacheControl: "only-if-cached"])).response.head.status == .gatewayTimeout)
        // A fresh part answers a range without the network.
        let (part, text) = try await rig.read(Self.range(3, 9))
        #expect(part.head.status == .partialContent && text == Self.string(Self.bytes[3..<9]))
        #expect(rig.origin.requests.count == 1)

        let (whole, all) = try await rig.read()
        #expect(whole.head.status == .ok && all == Self.string(Self.bytes))
        #expect(whole.provenance.cacheStatus?.fieldValue() == "wharf; fwd=partial; fwd-status=206; stored")
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == "bytes=17000-" && sent?[.ifRange] == "\"1\"")
        #expect(try await rig.kept() == Self.string(Self.bytes))
        #expect(rig.origin.requests.count == 2)
    }

    @Test func bodyThatEndsEarlyWithoutAnErrorIsStoredAsAPart() async throws {
        let bytes = Self.text("a", 22_000)
        var short = Self.answer(of: bytes)
        short.chunks.removeLast()
        let rig = Rig(short)
        #expect(await code { try await rig.read() } == .connectionLost)
        try await expectPart(rig, 0..<20_000, of: bytes)
    }

    @Test func changedVersionReplacesThePart() async throws {
        let other = Self.text("b", 18_000)
        let rig = Rig(
            Self.answer(cutAfter: 17_000), Self.answer(of: other, [.cacheControl: "max-age=60", .eTag: "\"2\""]))
        #expect(await code { try await rig.read() } == .connectionLost)
        #expect(try await rig.text() == Self.string(other))
        #expect(rig.origin.requests.last?.head.headerFields[.ifRange] == "\"1\"")
        #expect(try await rig.kept() == Self.string(other))
    }

    @Test func completionThatBreaksOffMakesThePartLonger() async throws {
        let rig = Rig(
            Self.answer(cutAfter: 17_000), Self.answer(17_000..<20_000, cutAfter: 1_000), Self.answer(18_000..<20_000))
        for _ in 0..<2 { #expect(await code { try await rig.read() } == .connectionLost) }
        try await expectPart(rig, 0..<18_000)
        #expect(try await rig.text() == Self.string(Self.bytes))
        #expect(rig.origin.requests.last?.head.headerFields[.range] == "bytes=18000-")
    }

    @Test(
        arguments: [
            ([.cacheControl: "max-age=60", .eTag: "W/\"1\""], 17_000), ([.cacheControl: "max-age=60"], 17_000),
            ([.cacheControl: "no-store", .eTag: "\"1\""], 17_000),
            ([.cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "20000, 19000"], 17_000),
            ([.cacheControl: "max-age=60", .eTag: "\"1\"", .contentLength: "18000"], 20_000),
            (BrokenBodyTests.fields, 16_383), (BrokenBodyTests.fields, 20_000),
        ] as [(HTTPFields, Int)])
    func otherBrokenBodiesAreNotStored(fields: HTTPFields, count: Int) async throws {
        let rig = Rig(Self.answer(cutAfter: count, fields), Self.answer())
        #expect(await code { try await rig.read() } == .connectionLost)
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
        #expect(try await rig.text() == Self.string(Self.bytes))
        #expect(rig.origin.requests.last?.head.headerFields[.range] == nil)
    }

    @Test func bytesThatBreakARuleAreNotStored() async throws {
        let rig = Rig(Self.answer(cutAfter: 17_000, by: .invalidResponse))
        #expect(await code { try await rig.read() } == .invalidResponse)
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
    }

    @Test func brokenAnswerToPostIsNotStored() async throws {
        var fields = Self.fields
        fields[.contentLocation] = "/a"
        let rig = Rig(Self.answer(cutAfter: 17_000, fields))
        #expect(await code { try await rig.read(get(method: .post)) } == .connectionLost)
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
    }

    /// The wrong body would be one that has a byte of another place, or too few.
    @Test func noPositionOfTheBreakGivesAWrongBody() async throws {
        let bytes = Array(Self.bytes.prefix(Self.least + 60))
        for cut in [0, 1, Self.least - 1] + Array(Self.least...bytes.count) {
            let origin = Mutex(0)
            let rig = Rig { request in
                let attempt = origin.withLock { count in
                    count += 1
                    return count
                }
                let asked = request.head.headerFields[.range].flatMap(ByteRange.init)?.bytes(of: Int64(bytes.count))
                let place = asked.map { Int($0.lowerBound)..<Int($0.upperBound) }
                // The second answer breaks off too, in its middle.
                let count = attempt == 1 ? cut : attempt == 2 ? (place?.count ?? bytes.count) / 2 : nil
                return Self.answer(place, of: bytes, cutAfter: count)
            }
            for _ in 0..<2 { #expect(await code { try await rig.read() } == .connectionLost, "\(cut)") }
            let resumed = Self.least..<bytes.count ~= cut
            let second = rig.origin.requests[1].head.headerFields[.range]
            #expect(second == (resumed ? "bytes=\(cut)-" : nil), "\(cut)")
            #expect(try await rig.kept() == nil, "\(cut)")
            #expect(try await rig.text() == Self.string(bytes), "\(cut)")
            #expect(try await rig.kept() == Self.string(bytes), "\(cut)")
            #expect(rig.incidents.codes.isEmpty, "\(cut)")
        }
    }

    // MARK: Other stored responses

    @Test func completeResponseIsNotReplaced() async throws {
        let other = Self.text("b", 18_000)
        let rig = Rig(
            Self.answer(), Self.answer(of: other, cutAfter: 17_000, [.cacheControl: "max-age=60", .eTag: "\"2\""]))
        try await rig.read()
        #expect(await code { try await rig.read(get(cache: .bypass)) } == .connectionLost)
        #expect(try await rig.kept() == Self.string(Self.bytes))
    }

    @Test func storedPartAfterTheBreakCompletesTheResponse() async throws {
        // `bypass` asks for the whole, although a part is stored.
        let rig = Rig(Self.answer(16_500..<20_000), Self.answer(cutAfter: 17_000))
        try await rig.read(Self.range(16_500, 20_000))
        #expect(await code { try await rig.read(get(cache: .bypass)) } == .connectionLost)
        #expect(try await rig.kept() == Self.string(Self.bytes))
    }

    @Test func invalidationDuringTheBodyLeavesNothing() async throws {
        let rig = Rig(Self.answer(cutAfter: 17_000), .ok(""))
        let body = try await rig.cache.send(get()).body
        try await rig.read(get(method: .post))
        #expect(await code { _ = try await body.collect() } == .connectionLost)
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
    }

    // MARK: Parts

    @Test func brokenPartIsStoredShorter() async throws {
        let bytes = Self.text("a", 60_000)
        let rig = Rig(Self.answer(10_000..<50_000, of: bytes, cutAfter: 17_000))
        #expect(await code { try await rig.read(Self.range(10_000, 50_000)) } == .connectionLost)
        try await expectPart(rig, 10_000..<27_000, of: bytes)
    }

    @Test(
        arguments: [
            // Before the new part, in touch with it and beyond the break; after it.
            (0..<20_000, 20_000..<50_000, 0..<37_000), (0..<22_000, 20_000..<50_000, 0..<37_000),
            (0..<38_000, 20_000..<50_000, 0..<38_000), (30_000..<50_000, 20_000..<45_000, 20_000..<50_000),
            // With a gap to the break: the longer one stays.
            (40_000..<50_000, 20_000..<45_000, 20_000..<37_000), (40_000..<60_000, 20_000..<45_000, 40_000..<60_000),
        ] as [(Range<Int>, Range<Int>, Range<Int>)])
    func brokenPartIsCombined(kept: Range<Int>, new: Range<Int>, place: Range<Int>) async throws {
        let bytes = Self.text("a", 60_000)
        let rig = Rig(Self.answer(kept, of: bytes), Self.answer(new, of: bytes, cutAfter: 17_000))
        try await rig.read(Self.range(kept.lowerBound, kept.upperBound))
        let request = Self.range(new.lowerBound, new.upperBound)
        #expect(await code { try await rig.read(request) } == .connectionLost)
        try await expectPart(rig, place, of: bytes)
    }

    // MARK: Readers that leave

    @Test func longAbandonedBodyIsStoredAsAPart() async throws {
        let bytes = Self.text("a", 60_000)
        let rig = Rig(Self.answer(of: bytes), Self.answer(20_000..<60_000, of: bytes))
        do {
            var iterator = try await rig.cache.send(get()).body.makeAsyncIterator()
            for _ in 0..<4 { _ = try await iterator.next() }
        }
        await rig.cache.abandonedBodiesEnd()
        try await expectPart(rig, 0..<20_000, of: bytes)
        let part = rig.events.all.last { $0.kind == .stored }
        #expect(part?.status == 206 && part?.byteCount == 20_000 && part?.failure == nil)
        #expect(try await rig.text() == Self.string(bytes))
    }

    /// A commit during the append would store bytes that its head does not announce.
    @Test func readerThatLeavesDuringAnAppendLeavesAWholePart() async throws {
        let bytes = Self.text("a", 60_000)
        let gate = Gate()
        let store = HookedStore { point in if point == .append(5) { await gate.pass() } }
        let rig = Rig(store: store, Self.answer(of: bytes))
        let body = try await rig.cache.send(get()).body
        let reader = Task { await code { _ = try await body.collect() } }
        await gate.arrivals(1)
        body.producer?.cancel()
        gate.open()
        #expect(await reader.value == .cancelled)
        await rig.cache.abandonedBodiesEnd()
        try await expectPart(rig, 0..<25_000, of: bytes)
    }

    @Test func cancelledReaderDoesNotWaitForTheStore() async throws {
        let gate = Gate()
        let store = HookedStore { point in if point == .commit { await gate.pass() } }
        let rig = Rig(store: store, Self.answer(cutAfter: 17_000, by: .cancelled))
        #expect(await code { try await rig.read() } == .cancelled)
        gate.open()
        await rig.cache.abandonedBodiesEnd()
        try await expectPart(rig, 0..<17_000)
    }

    /// A store refuses the writes of a cancelled task.
    @Test func cancellationDuringAnAppendLeavesTheBytesBefore() async throws {
        let bytes = Self.text("a", 60_000)
        let rig = Rig(store: HookedStore(.cancelled, at: .append(5)), Self.answer(of: bytes))
        #expect(try await rig.text() == Self.string(bytes))
        await rig.cache.abandonedBodiesEnd()
        try await expectPart(rig, 0..<20_000, of: bytes)
        #expect(rig.incidents.codes.isEmpty)
    }

    // MARK: Readers that reject

    @Test func rejectedBodyLeavesNothing() async throws {
        let bytes = Self.text("a", 60_000)
        let rig = Rig(Self.answer(of: bytes), Self.answer(of: bytes))
        let body = try await rig.cache.send(get()).body
        var iterator = body.makeAsyncIterator()
        for _ in 0..<4 { _ = try await iterator.next() }
        for _ in 0..<2 { await body.reject(.invalid) }
        #expect(await code { _ = try await body.collect() } == .invalidResponse)
        #expect(rig.events.lines.last == "notStored incomplete invalidResponse")
        await rig.cache.abandonedBodiesEnd()
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
        #expect(try await rig.text() == Self.string(bytes))
        #expect(rig.origin.requests.last?.head.headerFields[.range] == nil)
    }

    @Test func rejectionDuringAnAppendLeavesNothing() async throws {
        let gate = Gate()
        let store = HookedStore { point in if point == .append(5) { await gate.pass() } }
        let rig = Rig(store: store, Self.answer(of: Self.text("a", 60_000)))
        let body = try await rig.cache.send(get()).body
        let reader = Task { await code { _ = try await body.collect() } }
        await gate.arrivals(1)
        await body.reject(.invalid)
        gate.open()
        #expect(await reader.value == .invalidResponse)
        await rig.cache.abandonedBodiesEnd()
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
    }

    /// The append ends with an error of its own.
    @Test func rejectionDuringACancelledAppendLeavesNothing() async throws {
        let gate = Gate()
        let store = HookedStore { point throws(StoreError) in
            guard point == .append(5) else { return }
            await gate.pass()
            throw StoreError(.cancelled, message: "scripted")
        }
        let rig = Rig(store: store, Self.answer(of: Self.text("a", 60_000)))
        let body = try await rig.cache.send(get()).body
        let reader = Task { await code { _ = try await body.collect() } }
        await gate.arrivals(1)
        await body.reject(.invalid)
        gate.open()
        #expect(await reader.value == .invalidResponse)
        await rig.cache.abandonedBodiesEnd()
        #expect(try await rig.kept(Self.range(0, 9)) == nil)
    }

    // MARK: Stores that fail

    /// The store was closed, or the account was purged.
    @Test(arguments: [HookedStore.Point.append(1), .append(4), .commit])
    func closedStoreIsNoIncident(point: HookedStore.Point) async throws {
        let rig = Rig(store: HookedStore(.closed, at: point), Self.answer())
        #expect(try await rig.text() == Self.string(Self.bytes))
        #expect(rig.incidents.codes.isEmpty)
        #expect(rig.events.lines.last == "notStored storeFailed")
    }

    @Test func eventOfABrokenBodyHasTheStatusOfAPart() async throws {
        let rig = Rig(Self.answer(cutAfter: 17_000))
        #expect(await code { try await rig.read() } == .connectionLost)
        let event = try #require(rig.events.all.last)
        #expect(
            event
                == CacheEvent(
                    .stored, target: "https://example.com/a", status: 206, byteCount: 17_000, failure: .connectionLost))
        #expect(event.isFailureOfOrigin)
    }
}
