import Testing
import WharfCache
import WharfCore
import WharfFakes

/// Partial responses from complete stored ones (RFC 9110 §14, §15.3.7).
@Suite struct PartTests {
    private let fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: date(-100), .date: date(),
        .contentType: "text/plain",
    ]

    @Test(arguments: [
        ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-1", "9", "bytes 9-9/10"),
    ])
    func rangeIsServedFromTheStoredBody(range: String, text: String, place: String) async throws {
        let rig = Rig(.ok("0123456789", fields: fields))
        try await rig.read()
        let (part, body) = try await rig.read(get([.range: range]))
        #expect(part.head.status == .partialContent && body == text)
        #expect(part.head.headerFields[.contentRange] == place)
        #expect(part.head.headerFields[.contentLength] == String(text.utf8.count))
        #expect(part.head.headerFields[.eTag] == "\"1\"" && part.head.headerFields[.contentType] == "text/plain")
        #expect(rig.origin.requests.count == 1)
        #expect(try await rig.kept() == "0123456789")
    }

    @Test func rangeOfAnEncodedBodyNeedsAcceptEncoding() async throws {
        var encoded = fields
        encoded[.contentEncoding] = "gzip"
        let rig = Rig(.ok("0123456789", fields: encoded))
        try await rig.read()
        for fields: HTTPFields in [[.range: "bytes=0-1"], [.range: "bytes=0-1", .acceptEncoding: "identity"]] {
            let (whole, text) = try await rig.read(get(fields))
            #expect(whole.head.status == .ok && text == "0123456789")
        }
        let (part, start) = try await rig.read(get([.range: "bytes=0-1", .acceptEncoding: "gzip"]))
        #expect(part.head.status == .partialContent && start == "01")
        #expect(part.head.headerFields[.contentEncoding] == "gzip")
    }

    @Test func rangeWithoutAcceptEncodingIsServedFromABodyWithoutCoding() async throws {
        var varying = fields
        varying[.vary] = "Accept-Encoding"
        for (configuration, count) in [(CacheConfiguration.privateClient, 1), (.shared, 2)] {
            let rig = Rig(for: configuration, .ok("0123456789", fields: varying), .ok("0123456789", fields: varying))
            try await rig.read(get([.acceptEncoding: "gzip"]))
            try await rig.read(get([.range: "bytes=0-1"]))
            #expect(rig.origin.requests.count == count)
        }
    }

    @Test func rangeBeyondTheBodyGets416() async throws {
        let rig = Rig(.ok("0123456789", fields: fields))
        try await rig.read()
        let (answer, text) = try await rig.read(get([.range: "bytes=10-"]))
        #expect(answer.head.status == .rangeNotSatisfiable && text == "")
        #expect(answer.head.headerFields[.contentRange] == "bytes */10")
    }

    @Test(
        arguments: [
            ("\"1\"", true), ("\"2\"", false), ("W/\"1\"", false), (date(-100), true), (date(-99), false),
        ])
    func ifRangeOfAnotherVersionGetsTheWholeBody(condition: String, isPart: Bool) async throws {
        let rig = Rig(.ok("0123456789", fields: fields))
        try await rig.read()
        let (answer, text) = try await rig.read(get([.range: "bytes=0-1", .ifRange: condition]))
        #expect(answer.head.status == (isPart ? .partialContent : .ok))
        #expect(text == (isPart ? "01" : "0123456789"))
    }

    @Test func weakTagNeverSatisfiesIfRange() async throws {
        let rig = Rig(.ok("0123456789", fields: [.cacheControl: "max-age=60", .eTag: "W/\"1\""]))
        try await rig.read()
        #expect(try await rig.text(get([.range: "bytes=0-1", .ifRange: "W/\"1\""])) == "0123456789")
    }

    @Test func rangeOfAnUnknownBodyGoesToTheOrigin() async throws {
        let answer = StubAnswer.respond(.partialContent, fields: [.contentRange: "bytes 0-1/10"], "01")
        let rig = Rig(answer)
        let (part, text) = try await rig.read(get([.range: "bytes=0-1"]))
        #expect(part.head.status == .partialContent && text == "01")
        #expect(rig.origin.requests.first?.head.headerFields[.range] == "bytes=0-1")
        // A part is no complete response (RFC 9111 §3.3).
        #expect(try await rig.kept() == nil)
    }

    @Test func confirmedBodyServesTheRange() async throws {
        let rig = Rig(.ok("0123456789", fields: fields), .respond(.notModified, fields: [.cacheControl: "max-age=60"]))
        try await rig.read()
        rig.clock.advance(by: .seconds(61))
        let (part, text) = try await rig.read(get([.range: "bytes=2-3"]))
        #expect(part.head.status == .partialContent && text == "23")
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test func failureServesTheRangeOfTheStaleBody() async throws {
        let rig = Rig(.ok("0123456789", fields: fields), .failure(.connectionFailed))
        try await rig.read()
        rig.clock.advance(by: .seconds(61))
        let (part, text) = try await rig.read(get([.range: "bytes=2-3"]))
        #expect(part.head.status == .partialContent && text == "23")
        #expect(part.provenance.failure?.code == .connectionFailed)
    }

    @Test func headIgnoresTheRange() async throws {
        let rig = Rig(.ok("0123456789", fields: fields))
        try await rig.read()
        #expect(try await rig.read(get([.range: "bytes=0-1"], method: .head)).response.head.status == .ok)
    }
}
