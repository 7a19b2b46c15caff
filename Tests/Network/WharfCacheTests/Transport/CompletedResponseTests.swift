import Testing
import WharfCache
import WharfCore
import WharfFakes

/// A stored part that is completed for a client that asks for the whole (RFC 9111 §3.3, §3.4).
@Suite struct CompletedResponseTests {
    private static let text = "0123456789"
    private static let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    private static func part(
        _ bytes: Range<Int>, of text: String = text, _ fields: HTTPFields = fields
    ) -> StubAnswer {
        var fields = fields
        fields[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(text.utf8.count)"
        fields[.contentLength] = String(bytes.count)
        return .respond(.partialContent, fields: fields, String(decoding: Array(text.utf8)[bytes], as: UTF8.self))
    }

    /// Returns a rig whose store has a part.
    private func rig(_ bytes: Range<Int>, _ answers: StubAnswer...) async throws -> Rig {
        var rest = answers[...]
        let rig =
            switch answers.count {
            case 1: Rig(Self.part(bytes), rest.removeFirst())
            default: Rig(Self.part(bytes), rest.removeFirst(), rest.removeFirst())
            }
        try await rig.read(get([.range: "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)"]))
        return rig
    }

    @Test(arguments: [(0..<5, 5..<10, "bytes=5-"), (5..<10, 0..<5, "bytes=0-4")])
    func missingBytesCompleteTheAnswer(kept: Range<Int>, missing: Range<Int>, asked: String) async throws {
        let rig = try await rig(kept, Self.part(missing))
        let (whole, text) = try await rig.read()
        #expect(whole.head.status == .ok && text == Self.text && whole.body.expectedLength == 10)
        #expect(whole.head.headerFields[.contentLength] == "10" && whole.head.headerFields[.contentRange] == nil)
        #expect(whole.provenance.cacheStatus?.fieldValue() == "wharf; fwd=partial; fwd-status=206; stored")
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == asked && sent?[.ifRange] == "\"1\"")
        #expect(try await rig.kept() == Self.text)
        #expect(rig.origin.requests.count == 2)
    }

    /// A body that ends early without an error.
    @Test func shortAnswerBeforeTheStoredPartMixesNothing() async throws {
        var cut = Self.part(0..<5, of: Self.text, [.cacheControl: "no-store", .eTag: "\"1\""])
        cut.chunks = [Array("01".utf8)]
        let rig = try await rig(5..<10, cut)
        #expect(await code { try await rig.read() } == .connectionLost)
    }

    @Test func partWithTwoGapsIsNotCompleted() async throws {
        let rig = try await rig(2..<8, .ok(Self.text, fields: Self.fields))
        #expect(try await rig.text() == Self.text)
        #expect(rig.origin.requests.last?.head.headerFields[.range] == nil)
    }

    @Test func wholeOfAnotherVersionIsTheAnswer() async throws {
        let rig = try await rig(0..<5, .ok("abc", fields: [.cacheControl: "max-age=60", .eTag: "\"2\""]))
        #expect(try await rig.text() == "abc")
        #expect(try await rig.kept() == "abc")
    }

    @Test(
        arguments: [
            // RFC 9110 §13.1.5: an origin that ignores If-Range.
            CompletedResponseTests.part(5..<10, of: "abcdefghij", [.cacheControl: "max-age=60", .eTag: "\"2\""]),
            CompletedResponseTests.part(6..<10),
            .respond(.rangeNotSatisfiable, fields: [.contentRange: "bytes */3"]),
        ])
    func otherBytesAreNotMixedIn(answer: StubAnswer) async throws {
        let rig = try await rig(0..<5, answer, .ok("abc", fields: [.cacheControl: "max-age=60"]))
        let (whole, text) = try await rig.read()
        #expect(whole.head.status == .ok && text == "abc")
        let sent = rig.origin.requests.last?.head.headerFields
        #expect(sent?[.range] == nil && sent?[.ifRange] == nil && rig.origin.requests.count == 3)
        #expect(try await rig.kept() == "abc")
    }

    @Test func missingBytesThatBreakOffFailTheReader() async throws {
        var cut = Self.part(5..<10)
        cut.chunks = [Array("56".utf8)]
        cut.failure = TransportError(.connectionLost, message: "scripted")
        let rig = try await rig(0..<5, cut)
        #expect(await code { try await rig.read() } == .connectionLost)
        #expect(try await rig.kept() == nil)
        #expect(try await rig.kept(get([.range: "bytes=0-4"])) == "01234")
    }

    @Test func answerThatForbidsStoringIsCompletedAndNotKept() async throws {
        let rig = try await rig(0..<5, Self.part(5..<10, of: Self.text, [.cacheControl: "no-store", .eTag: "\"1\""]))
        #expect(try await rig.text() == Self.text)
        #expect(try await rig.kept() == nil)
    }

    @Test func cookiesOfTheMissingBytesAreForTheirClient() async throws {
        var fields = Self.fields
        fields[.setCookie] = "a=b"
        let rig = try await rig(0..<5, Self.part(5..<10, of: Self.text, fields))
        #expect(try await rig.read().response.head.headerFields[.setCookie] == "a=b")
        #expect(try await rig.read().response.head.headerFields[.setCookie] == nil)
    }

    @Test func cookiesOfTheMissingBytesAreStoredIfConfigured() async throws {
        var fields = Self.fields
        fields[.setCookie] = "a=b"
        var configuration = CacheConfiguration.privateClient
        configuration.storesSetCookie = true
        let rig = Rig(for: configuration, Self.part(0..<5), Self.part(5..<10, of: Self.text, fields))
        try await rig.read(get([.range: "bytes=0-4"]))
        for _ in 0..<2 { #expect(try await rig.read().response.head.headerFields[values: .setCookie] == ["a=b"]) }
        #expect(rig.origin.requests.count == 2)
    }

    @Test func cookiesOfThePartAreNotServedAfterTheSwitchIsOff() async throws {
        var fields = Self.fields
        fields[.setCookie] = "a=b"
        var configuration = CacheConfiguration.privateClient
        configuration.storesSetCookie = true
        let store = MemoryCacheStore()
        let before = Rig(for: configuration, store: store, Self.part(0..<5, of: Self.text, fields))
        try await before.read(get([.range: "bytes=0-4"]))
        let rig = Rig(store: store, Self.part(5..<10))
        for _ in 0..<2 {
            let (answer, text) = try await rig.read()
            #expect(text == Self.text && answer.head.headerFields[.setCookie] == nil)
        }
    }

    /// A decoder above the cache rejects bytes of the stored part.
    @Test(arguments: ["max-age=60", "no-store"])
    func rejectedCompletionRemovesThePart(control: String) async throws {
        let rig = try await rig(
            0..<5, Self.part(5..<10, of: Self.text, [.cacheControl: control, .eTag: "\"1\""]),
            .ok(Self.text, fields: Self.fields))
        let body = try await rig.cache.send(get()).body
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Array("01234".utf8))
        rig.events.clear()
        for _ in 0..<2 { await body.reject(.invalid) }
        #expect(await code { _ = try await body.collect() } == .invalidResponse)
        #expect(rig.events.lines.filter { $0.hasPrefix("removed") } == ["removed invalid"])
        #expect(try await rig.kept(get([.range: "bytes=0-4"])) == nil)
        #expect(try await rig.text() == Self.text)
        #expect(rig.origin.requests.last?.head.headerFields[.range] == nil)
    }

    /// The checksum of a coding is at its end, and the cache stores before it delivers the last
    /// byte.
    @Test func completeResponseThatIsRejectedIsRemoved() async throws {
        let rig = try await rig(0..<5, Self.part(5..<10))
        let body = try await rig.cache.send(get()).body
        _ = try await body.collect()
        #expect(try await rig.kept() == Self.text)
        await body.reject(.invalid)
        #expect(try await rig.kept() == nil)
        #expect(try await rig.kept(get([.range: "bytes=0-4"])) == nil)
    }

    @Test func followersGetTheCompletedAnswer() async throws {
        let rig = HeldRig(Self.part(5..<10), Self.part(0..<5))
        rig.isHeld.set(false)
        #expect(try await rig.read(get([.range: "bytes=0-4"])).text == "01234")
        rig.isHeld.set(true)
        let leader = await rig.lead()
        let followers = await rig.follow(3)
        rig.first.open()
        for task in [leader] + followers { #expect(try await task.value.text == Self.text) }
        #expect(rig.origin.requests.count == 2)
    }

    @Test func abandonedAnswerKeepsThePart() async throws {
        let rig = try await rig(0..<5, Self.part(5..<10))
        do {
            var iterator = try await rig.cache.send(get()).body.makeAsyncIterator()
            #expect(try await iterator.next() == Array("01234".utf8))
        }
        #expect(try await rig.kept() == nil)
        #expect(try await rig.kept(get([.range: "bytes=0-4"])) == "01234")
    }
}
