import Testing
import WharfCache
import WharfCore
import WharfStorage

/// RFC 9111 §3.3, §3.4; RFC 9110 §13.1.5.
@Suite struct CompletingTests {
    private let policy = CachePolicy(.privateClient)

    private static func part(
        _ bytes: Range<Int64>, of length: Int64 = 10, _ fields: HTTPFields = [.eTag: "\"1\""]
    ) -> StoredHead {
        var fields = fields
        fields[.contentRange] = ContentRange(bytes, of: length).fieldValue
        fields[.contentLength] = String(bytes.upperBound - bytes.lowerBound)
        return stored(fields, status: .partialContent)
    }

    @Test(
        arguments: [
            (0..<5, "bytes=5-"), (0..<1, "bytes=1-"), (5..<10, "bytes=0-4"), (9..<10, "bytes=0-8"), (1..<9, nil),
        ] as [(Range<Int64>, String?)])
    func missingBytesAtOneEndAreAskedFor(kept: Range<Int64>, asked: String?) throws {
        let completion = policy.completion(of: policy.facts(Self.part(kept)), for: try #require(facts()))
        #expect(completion?.fields[.range] == asked)
        #expect(completion?.fields[.ifRange] == asked.map { _ in "\"1\"" })
    }

    @Test(
        arguments: [
            ([.range: "bytes=0-9"], .get), ([.ifRange: "\"1\""], .get), ([.ifNoneMatch: "\"1\""], .get),
            ([.ifModifiedSince: date()], .get), ([:], .head),
        ] as [(HTTPFields, HTTPRequest.Method)])
    func requestsOfAnotherKindAreSentAsTheyAre(fields: HTTPFields, method: HTTPRequest.Method) throws {
        let request = try #require(facts(fields, method: method))
        #expect(policy.completion(of: policy.facts(Self.part(0..<5)), for: request) == nil)
    }

    @Test func weakValidatorCompletesNothing() throws {
        let kept = policy.facts(Self.part(0..<5, of: 10, [.eTag: "W/\"1\""]))
        #expect(policy.completion(of: kept, for: try #require(facts())) == nil)
    }

    /// RFC 9110 §15.3.7: the answer to If-Range may omit fields that the client has already.
    @Test(arguments: [(nil, true), ("gzip", true), ("br", false)] as [(String?, Bool)])
    func encodedPartIsCompletedByItsCodingOrNone(coding: String?, isCompleted: Bool) throws {
        let kept = policy.facts(Self.part(0..<5, of: 10, [.eTag: "\"1\"", .contentEncoding: "gzip"]))
        let request = try #require(facts())
        let completion = try #require(policy.completion(of: kept, for: request))
        var fields: HTTPFields = [.eTag: "\"1\""]
        fields[.contentEncoding] = coding
        let whole = policy.completed(kept, by: Self.part(5..<10, of: 10, fields), completion)
        #expect(whole?.headerFields[.contentEncoding] == (isCompleted ? "gzip" : nil))
    }

    @Test(
        arguments: [
            (5..<10, 10, [.eTag: "\"1\""], true),
            // Other bytes than those that were asked for.
            (5..<9, 10, [.eTag: "\"1\""], false), (4..<10, 10, [.eTag: "\"1\""], false),
            (5..<11, 11, [.eTag: "\"1\""], false),
            // Another version, or an unknown one.
            (5..<10, 10, [.eTag: "\"2\""], false), (5..<10, 10, [.eTag: "W/\"1\""], false), (5..<10, 10, [:], false),
            (5..<10, 10, [.eTag: "\"1\"", .contentEncoding: "gzip"], false),
        ] as [(Range<Int64>, Int64, HTTPFields, Bool)])
    func onlyTheMissingBytesOfTheVersionComplete(
        bytes: Range<Int64>, length: Int64, fields: HTTPFields, isCompleted: Bool
    ) throws {
        let kept = policy.facts(Self.part(0..<5, of: 10, [.eTag: "\"1\"", .via: "a", .server: "a"]))
        let request = try #require(facts())
        let completion = try #require(policy.completion(of: kept, for: request))
        var fields = fields
        fields[.server] = "b"
        let whole = policy.completed(kept, by: Self.part(bytes, of: length, fields), completion)
        #expect((whole != nil) == isCompleted)
        guard let whole else { return }
        #expect(whole.status == .ok && whole.headerFields[.contentRange] == nil)
        #expect(whole.headerFields[.contentLength] == "10")
        #expect(whole.headerFields[.via] == "a" && whole.headerFields[.server] == "b")
    }
}
