import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// Stored partial responses (RFC 9111 §3.3, §3.4).
@Suite struct PartialResponseTests {
    private static let text = "0123456789"

    private static func fields(_ tag: String = "\"1\"", _ others: HTTPFields = [:]) -> HTTPFields {
        var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: tag, .date: date()]
        for field in others { fields[field.name] = field.value }
        return fields
    }

    /// A partial response with these bytes of a text.
    private static func part(
        _ bytes: Range<Int>, of text: String = text, _ fields: HTTPFields = fields()
    ) -> StubAnswer {
        var fields = fields
        fields[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(text.utf8.count)"
        fields[.contentLength] = String(bytes.count)
        return .respond(.partialContent, fields: fields, String(decoding: Array(text.utf8)[bytes], as: UTF8.self))
    }

    private func range(_ range: String, cache: CacheMode = .normal) -> TransportRequest {
        get([.range: range], cache: cache)
    }

    @Test(arguments: [
        ("bytes=3-5", "345", "bytes 3-5/10"), ("bytes=2-7", "234567", "bytes 2-7/10"),
        ("bytes=2-2", "2", "bytes 2-2/10"),
    ])
    func rangeInsideAStoredPartIsServedFromIt(asked: String, text: String, place: String) async throws {
        let rig = Rig(Self.part(2..<8, of: Self.text, Self.fields("\"1\"", [.contentType: "text/plain"])))
        let (first, _) = try await rig.read(range("bytes=2-7"))
        #expect(first.provenance.cacheStatus?.stored == true)
        let (part, body) = try await rig.read(range(asked))
        #expect(part.head.status == .partialContent && body == text)
        #expect(part.head.headerFields[.contentRange] == place)
        #expect(part.head.headerFields[.contentLength] == String(text.utf8.count))
        #expect(
            part.head.headerFields[.contentType] == "text/plain" && part.body.expectedLength == Int64(text.utf8.count))
        #expect(part.provenance.cacheStatus?.hit == true)
        #expect(rig.origin.requests.count == 1)
    }

    @Test(arguments: [("bytes=-3", "789"), ("bytes=6-", "6789"), ("bytes=8-99", "89")])
    func openRangeInsideAStoredPartIsServedFromIt(asked: String, text: String) async throws {
        let rig = Rig(Self.part(5..<10))
        try await rig.read(range("bytes=-5"))
        #expect(try await rig.text(range(asked)) == text)
        #expect(rig.origin.requests.count == 1)
    }

    @Test(arguments: ["bytes=0-3", "bytes=6-9", "bytes=6-", "bytes=-3", "bytes=8-9", "bytes=0-", "bytes=10-"])
    func rangeWithOtherBytesGoesToTheOriginUnchanged(asked: String) async throws {
        let rig = Rig(Self.part(2..<8), .respond(.noContent))
        try await rig.read(range("bytes=2-7"))
        let (answer, _) = try await rig.read(range(asked))
        #expect(answer.head.status == .noContent)
        #expect(answer.provenance.cacheStatus?.forward == .partial)
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == asked && sent?[.ifNoneMatch] == nil && sent?[.ifRange] == nil)
    }

    @Test func partIsNeverACompleteAnswer() async throws {
        let rig = Rig(
            Self.part(0..<5), .respond(.ok), .failure(.connectionFailed), .ok(Self.text, fields: Self.fields()))
        try await rig.read(range("bytes=0-4"))
        #expect(try await rig.kept() == nil)
        #expect(try await rig.kept(range("bytes=0-5")) == nil)
        let (head, _) = try await rig.read(get(method: .head))
        #expect(head.head.status == .ok && head.provenance.cacheStatus?.forward == .partial)
        #expect(await code { try await rig.read() } == .connectionFailed, "no fallback for the whole")
        #expect(try await rig.kept(range("bytes=0-4")) == "01234")
        let (whole, text) = try await rig.read()
        #expect(whole.head.status == .ok && text == Self.text)
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == nil)
        // It replaces the part.
        #expect(try await rig.kept() == Self.text)
    }

    @Test func onlyIfCachedGetsNoPartOfAnotherRange() async throws {
        let rig = Rig(Self.part(0..<5))
        try await rig.read(range("bytes=0-4"))
        let (answer, _) = try await rig.read(get([.cacheControl: "only-if-cached"]))
        #expect(answer.head.status == .gatewayTimeout)
    }

    @Test(arguments: [
        (0..<5, 5..<8, "bytes=0-7", "01234567"), (5..<8, 0..<5, "bytes=0-7", "01234567"),
        (0..<6, 4..<8, "bytes=2-7", "234567"), (4..<8, 1..<6, "bytes=1-7", "1234567"),
        (3..<5, 2..<8, "bytes=2-7", "234567"),
    ])
    func partsAreCombined(first: Range<Int>, second: Range<Int>, asked: String, text: String) async throws {
        let rig = Rig(Self.part(first), Self.part(second))
        for part in [first, second] {
            let asked = "bytes=\(part.lowerBound)-\(part.upperBound - 1)"
            #expect(try await rig.text(range(asked)).utf8.count == part.count)
        }
        #expect(try await rig.text(range(asked)) == text)
        #expect(try await rig.kept() == nil)
        #expect(rig.origin.requests.count == 2 && rig.incidents.codes.isEmpty)
    }

    @Test func laterPartReplacesTheStoredOneBeyondAGap() async throws {
        let rig = Rig(Self.part(0..<3), Self.part(5..<8))
        try await rig.read(range("bytes=0-2"))
        try await rig.read(range("bytes=5-7"))
        #expect(try await rig.kept(range("bytes=5-7")) == "567")
        #expect(try await rig.kept(range("bytes=0-2")) == nil)
    }

    @Test(arguments: [(0..<5, 5..<10), (4..<10, 0..<5)])
    func allBytesBecomeACompleteResponse(first: Range<Int>, second: Range<Int>) async throws {
        let rig = Rig(
            Self.part(first, of: Self.text, Self.fields("\"1\"", [.server: "a", .via: "a"])),
            Self.part(second, of: Self.text, Self.fields("\"1\"", [.server: "b", .date: date(61)])))
        try await rig.read(range("bytes=\(first.lowerBound)-\(first.upperBound - 1)"))
        rig.clock.advance(by: .seconds(61))
        try await rig.read(range("bytes=\(second.lowerBound)-\(second.upperBound - 1)"))
        let (whole, text) = try await rig.read()
        #expect(whole.head.status == .ok && text == Self.text)
        let fields = whole.head.headerFields
        #expect(fields[.contentRange] == nil && fields[.contentLength] == "10")
        #expect(fields[.server] == "b" && fields[.via] == "a")
        #expect(try await rig.read(get(method: .head)).response.head.headerFields[.contentLength] == "10")
        #expect(rig.origin.requests.count == 2)
    }

    @Test func oneRangeOfAllBytesIsACompleteResponse() async throws {
        let rig = Rig(Self.part(0..<10))
        #expect(try await rig.read(range("bytes=0-")).response.head.status == .partialContent)
        let (whole, text) = try await rig.read()
        #expect(whole.head.status == .ok && text == Self.text && rig.origin.requests.count == 1)
    }

    @Test func partOfAnotherVersionReplacesTheStoredOne() async throws {
        let rig = Rig(Self.part(0..<5), Self.part(5..<10, of: "abcdefghij", Self.fields("\"2\"")))
        try await rig.read(range("bytes=0-4"))
        #expect(try await rig.text(range("bytes=5-9")) == "fghij")
        #expect(try await rig.kept(range("bytes=5-9")) == "fghij")
        #expect(try await rig.kept(range("bytes=0-4")) == nil)
        #expect(try await rig.kept() == nil)
    }

    @Test(arguments: [
        ("\"1\"", 200, true), ("\"2\"", 200, false), ("W/\"1\"", 200, false), ("\"2\"", 206, false),
        ("\"1\"", 404, false), ("\"2\"", 500, true),
    ])
    func answerOfAnotherVersionRemovesThePart(tag: String, status: Int, isKept: Bool) async throws {
        let other = StubAnswer.respond(
            .init(code: status), fields: [.cacheControl: "no-store", .eTag: tag], "abcdefghij")
        let rig = Rig(Self.part(0..<5), other)
        try await rig.read(range("bytes=0-4"))
        try await rig.read(status == 206 ? range("bytes=0-9") : get())
        #expect((try await rig.kept(range("bytes=0-4")) != nil) == isKept)
    }

    @Test func headOfAnotherVersionLeavesThePart() async throws {
        let rig = Rig(Self.part(0..<5), .respond(.ok, fields: Self.fields("\"2\"")))
        try await rig.read(range("bytes=0-4"))
        try await rig.read(get(method: .head))
        #expect(try await rig.kept(range("bytes=0-4")) == "01234")
    }

    @Test func confirmedPartIsFreshAgain() async throws {
        let rig = Rig(Self.part(2..<8), .respond(.notModified, fields: [.cacheControl: "max-age=60", .eTag: "\"1\""]))
        try await rig.read(range("bytes=2-7"))
        rig.clock.advance(by: .seconds(61))
        let (part, text) = try await rig.read(range("bytes=3-4"))
        #expect(part.head.status == .partialContent && text == "34" && part.provenance.source == .revalidated)
        #expect(part.head.headerFields[.contentRange] == "bytes 3-4/10")
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(try await rig.text(range("bytes=2-7")) == "234567")
        #expect(rig.origin.requests.count == 2)
        #expect(try await rig.kept() == nil)
    }

    @Test func weakConfirmationEndsThePart() async throws {
        let rig = Rig(
            Self.part(2..<8), .respond(.notModified, fields: [.cacheControl: "max-age=60", .eTag: "W/\"1\""]))
        try await rig.read(range("bytes=2-7"))
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.text(range("bytes=3-4")) == "34")
        #expect(try await rig.kept(range("bytes=3-4")) == nil)
    }

    @Test func outdatedPartIsRemovedByARefusedPart() async throws {
        let rig = Rig(
            Self.part(2..<8),
            Self.part(2..<8, of: "abcdefghij", Self.fields("\"2\"", [.cacheControl: "no-store"])))
        try await rig.read(range("bytes=2-7"))
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.text(range("bytes=2-7")) == "cdefgh")
        #expect(try await rig.kept(range("bytes=2-7")) == nil)
    }

    @Test func clientWithTheVersionGets304FromThePart() async throws {
        let rig = Rig(Self.part(2..<8))
        try await rig.read(range("bytes=2-7"))
        let (answer, text) = try await rig.read(get([.range: "bytes=3-4", .ifNoneMatch: "\"1\""]))
        #expect(answer.head.status == .notModified && text == "")
        #expect(answer.head.headerFields[.contentRange] == nil && rig.origin.requests.count == 1)
    }

    @Test func ifRangeOfAnotherVersionGoesToTheOrigin() async throws {
        let rig = Rig(Self.part(2..<8), .ok(Self.text, fields: Self.fields()))
        try await rig.read(range("bytes=2-7"))
        #expect(try await rig.text(get([.range: "bytes=3-4", .ifRange: "\"1\""])) == "34")
        #expect(rig.origin.requests.count == 1)
        #expect(try await rig.text(get([.range: "bytes=3-4", .ifRange: "\"0\""])) == Self.text)
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == "bytes=3-4" && sent?[.ifRange] == "\"0\"")
    }

    @Test func answerToIfRangeIsStoredWithTheFieldsOfItsVersion() async throws {
        // RFC 9110 §15.3.7: it has no Content-Type.
        let typed = Self.fields("\"1\"", [.contentType: "text/plain"])
        let rig = Rig(Self.part(5..<8), Self.part(0..<5, of: Self.text, typed), Self.part(5..<10))
        try await rig.read(get([.range: "bytes=5-7", .ifRange: "\"1\""]))
        #expect(try await rig.kept(range("bytes=5-7")) == nil)
        try await rig.read(range("bytes=0-4"))
        try await rig.read(get([.range: "bytes=5-9", .ifRange: "\"1\""]))
        let (whole, text) = try await rig.read()
        #expect(text == Self.text && whole.head.headerFields[.contentType] == "text/plain")
        #expect(rig.origin.requests.count == 3)
    }

    @Test func invalidationRemovesThePart() async throws {
        let rig = Rig(Self.part(0..<5), .respond(.noContent))
        try await rig.read(range("bytes=0-4"))
        try await rig.read(get(method: .post))
        #expect(try await rig.kept(range("bytes=0-4")) == nil)
    }

    @Test func invalidationDuringTheBodyStoresNoPart() async throws {
        let rig = Rig(Self.part(0..<5), Self.part(5..<10), .respond(.noContent))
        try await rig.read(range("bytes=0-4"))
        let second = try await rig.cache.send(range("bytes=5-9"))
        try await rig.read(get(method: .post))
        #expect(try await second.body.collect() == Array("56789".utf8))
        #expect(try await rig.kept(range("bytes=5-9")) == nil)
        #expect(try await rig.kept() == nil)
    }

    @Test func failureServesTheRangeOfTheStalePart() async throws {
        let rig = Rig(Self.part(0..<5), .failure(.connectionFailed), .failure(.connectionFailed))
        try await rig.read(range("bytes=0-4"))
        rig.clock.advance(by: .seconds(61))
        let (part, text) = try await rig.read(range("bytes=2-3"))
        #expect(part.head.status == .partialContent && text == "23")
        #expect(part.provenance.failure?.code == .connectionFailed)
        #expect(await code { try await rig.read(range("bytes=2-5")) } == .connectionFailed)
    }

    @Test func partWhoseBodyBreaksOffIsNotStored() async throws {
        var cut = Self.part(5..<10)
        cut.chunks = [Array("567".utf8)]
        var broken = cut
        broken.failure = TransportError(.connectionLost, message: "scripted")
        for answer in [cut, broken] {
            let rig = Rig(Self.part(0..<5), answer)
            try await rig.read(range("bytes=0-4"))
            #expect(await code { try await rig.read(range("bytes=5-9")) } == .connectionLost)
            #expect(try await rig.kept(range("bytes=5-7")) == nil)
            #expect(try await rig.kept(range("bytes=0-4")) == "01234")
        }
    }

    @Test func severalRangesAreNotStored() async throws {
        var fields = Self.fields("\"1\"", [.contentType: "multipart/byteranges; boundary=a"])
        fields[.contentLength] = "2"
        let rig = Rig(.respond(.partialContent, fields: fields, "--"), .respond(.partialContent, fields: fields, "--"))
        // One range is asked for. Several are passed on.
        #expect(try await rig.text(range("bytes=0-4")) == "--")
        #expect(try await rig.text(range("bytes=0-1, 4-5")) == "--")
        #expect(try await rig.kept(range("bytes=0-1")) == nil)
    }

    @Test func refused416IsNotStored() async throws {
        let fields: HTTPFields = [.cacheControl: "max-age=60", .contentRange: "bytes */10"]
        let rig = Rig(.respond(.rangeNotSatisfiable, fields: fields), .ok(Self.text, fields: Self.fields()))
        #expect(try await rig.read(range("bytes=10-")).response.head.status == .rangeNotSatisfiable)
        #expect(try await rig.text() == Self.text)
    }

    @Test func partOfAnotherVersionKeepsTheCompleteResponse() async throws {
        let rig = Rig(.ok(Self.text, fields: Self.fields()), Self.part(0..<5, of: "abcdefghij", Self.fields("\"2\"")))
        try await rig.read()
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.text(range("bytes=0-4")) == "abcde")
        #expect(try await rig.kept() == Self.text, "an offline reader has the old whole")
    }

    @Test func variantsHaveTheirOwnParts() async throws {
        let varying = Self.fields("\"1\"", [.vary: "Accept"])
        let rig = Rig(Self.part(0..<5, of: Self.text, varying), Self.part(5..<10, of: "abcdefghij", varying))
        try await rig.read(get([.range: "bytes=0-4", .accept: "a"]))
        // The same tag for another variant breaks RFC 9110 §8.8.3, and still mixes nothing.
        try await rig.read(get([.range: "bytes=5-9", .accept: "b"]))
        #expect(try await rig.kept(get([.range: "bytes=0-4", .accept: "a"])) == "01234")
        #expect(try await rig.kept(get([.range: "bytes=5-9", .accept: "b"])) == "fghij")
        #expect(try await rig.kept(get([.accept: "a"])) == nil)
    }

    @Test func stalePartIsRevalidatedAsAPartInTheBackground() async throws {
        let fields = Self.fields("\"1\"", [.cacheControl: "max-age=10, stale-while-revalidate=60"])
        var confirming = fields
        confirming[.date] = date(11)
        let rig = Rig(Self.part(0..<5, of: Self.text, fields), .respond(.notModified, fields: confirming))
        try await rig.read(range("bytes=0-4"))
        rig.clock.advance(by: .seconds(11))
        #expect(try await rig.text(range("bytes=1-2")) == "12")
        await rig.cache.revalidationsEnd()
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == "bytes=1-2" && sent?[.ifNoneMatch] == "\"1\"")
        let (fresh, text) = try await rig.read(range("bytes=0-4"))
        #expect(text == "01234" && fresh.provenance.cacheStatus?.ttl == 10)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func storedBodyThatBreaksOffIsNotCombined() async throws {
        let rig = Rig(store: CuttingStore(), Self.part(0..<5), Self.part(5..<10), .failure(.offline))
        try await rig.read(range("bytes=0-4"))
        #expect(try await rig.text(range("bytes=5-9")) == "56789", "the reader has its bytes")
        #expect(rig.incidents.codes == [.storeFailed])
        #expect(await code { try await rig.read() } == .offline, "nothing was stored as a whole")
    }
}

/// A store whose bodies end one byte too early.
private struct CuttingStore: CacheStore {
    private let base = MemoryCacheStore()

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        var found = try await base.lookup(key, select: select)
        guard let body = found.body else { return found }
        do {
            found.body = BodyStream(Array(try await body.collect().dropLast()))
        } catch {
            throw StoreError(.failed, message: "scripted", cause: error)
        }
        return found
    }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try await base.begin(key, head)
    }

    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        try await base.update(id, under: key, to: head)
    }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: key)
    }

    func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
}
