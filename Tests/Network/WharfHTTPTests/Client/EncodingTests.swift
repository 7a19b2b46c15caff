import Foundation
import Testing
import WharfCore
import WharfHTTP
import WharfRandom

@Suite struct RequestPathTests {
    @Test(arguments: [
        ("users/1", "users/1"),
        ("/users/1/", "/users/1/"),
        ("a b", "a%20b"),
        ("caf\u{E9}", "caf%C3%A9"),
        ("100%25", "100%25"),
        ("a%2Fb", "a%2Fb"),
        ("%41%c3%a9", "%41%c3%a9"),
        ("who?", "who%3F"),
        ("c#", "c%23"),
        ("[x]", "%5Bx%5D"),
        ("a\"<>\\^`{|}", "a%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("!$&'()*+,;=:@-._~", "!$&'()*+,;=:@-._~"),
        ("\u{1F600}", "%F0%9F%98%80"),
        ("a\0b\n", "a%00b%0A"),
    ])
    func pathKeepsSlashesAndEscapesAndEncodesTheRest(_ row: (path: String, encoded: String)) {
        #expect(RequestPath(row.path).encoded == row.encoded)
    }

    @Test(arguments: [
        ("%", 1), ("100%", 4), ("a%2", 2), ("/a%zz", 3), ("%41%4", 4), ("\u{E9}%g0", 2), ("a%%41", 2), ("%+1", 1),
    ])
    func anInvalidEscapeIsRefusedWithItsPlace(_ row: (path: String, place: Int)) {
        for path in [RequestPath(row.path), RequestPath(stringLiteral: row.path)] {
            let failure = #expect(throws: ReadFailure.self) { try sentPath(path) }
            #expect(failure?.code == .invalidRequest)
            let place = "% at character \(row.place) of \"\(row.path)\""
            #expect(failure?.message.contains(place) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("write %25") == true)
        }
    }

    @Test func anEscapeThatAValueWouldCompleteIsRefused() {
        let path: RequestPath = "a/\("b c")/%\("41")"
        let failure = #expect(throws: ReadFailure.self) { try sentPath(path) }
        #expect(failure?.message.contains("character 9 of \"a/b%20c/%\"") == true, "\(failure?.message ?? "")")
    }

    @Test(arguments: [
        ("1", "1"),
        ("a/b c?", "a%2Fb%20c%3F"),
        ("%2F", "%252F"),
        ("%2e%2e", "%252e%252e"),
        ("a;b=c,d", "a%3Bb%3Dc%2Cd"),
        ("x@y.z", "x%40y.z"),
        ("-._~", "-._~"),
        ("../../admin", "..%2F..%2Fadmin"),
        ("\u{E9}", "%C3%A9"),
        ("...", "..."),
    ])
    func anInterpolatedValueIsOneSegment(_ row: (value: String, encoded: String)) throws {
        let path: RequestPath = "users/\(row.value)/photos"
        #expect(path.encoded == "users/\(row.encoded)/photos")
        #expect(RequestPath("users").appending(segment: row.value).encoded == "users/\(row.encoded)")
        #expect(try sentPath(path) == "/users/\(row.encoded)/photos")
    }

    @Test(arguments: ["", ".", ".."])
    func aValueThatWouldAddressAnotherResourceIsRefused(_ value: String) throws {
        let paths: [RequestPath] = [
            "users/\(value)", "users/\(value)/photos", "\(value)", RequestPath("users").appending(segment: value),
        ]
        for path in paths {
            let failure = #expect(throws: ReadFailure.self) { try sentPath(path) }
            #expect(failure?.code == .invalidRequest)
            #expect(failure?.message.contains("\"\(value)\"") == true)
        }
    }

    @Test func aDotThatIsMadeOfTwoPartsIsRefusedToo() {
        #expect(throws: ReadFailure.self) { try sentPath("users/.\(".")") }
        #expect(throws: Never.self) { try sentPath("users/v\("")") }
        #expect(throws: Never.self) { try sentPath("files/\("..")\(".txt")") }
    }

    @Test func anIntegerNeedsNoConversion() {
        let id = 42
        let path: RequestPath = "users/\(id)"
        #expect(path.encoded == "users/42")
    }

    private func sentPath(_ path: RequestPath) throws -> String? {
        try APIEnvironment("https://h").head(for: .get(path, decoding: .bytes)).path
    }
}

@Suite struct QueryTests {
    @Test(
        arguments: [
            (["page": "2"], "page=2"),
            (["tag": "a", "tag": "b", "draft": nil, "empty": ""], "tag=a&tag=b&draft&empty="),
            (["q": "a+b&c=d#e f"], "q=a%2Bb%26c%3Dd%23e%20f"),
            (["a b": "%41"], "a%20b=%2541"),
            (["filter[x]": "\u{E9}/?"], "filter%5Bx%5D=%C3%A9%2F%3F"),
        ] as [(Query, String)])
    func queryKeepsOrderAndRepetitionAndEncodesDelimiters(_ row: (query: Query, encoded: String)) {
        #expect(row.query.encoded == row.encoded)
    }

    @Test func anEmptyQueryHasNoQuestionMark() throws {
        let head = try APIEnvironment("https://h").head(for: .get("x", query: [], decoding: .bytes))
        #expect(head.path == "/x")
    }
}

/// Foundation's parser is the independent reader.
@Suite struct EncodingRoundTripTests {
    @Test func foundationReadsBackEncodedURLs() throws {
        var random = SeededGenerator(seed: 2026)
        let environment = try APIEnvironment("https://h/base")
        for _ in 0..<2000 {
            let value = text(using: &random)
            let items = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                QueryItem(text(using: &random), Bool.random(using: &random) ? nil : text(using: &random))
            }
            let isRefused = ["", ".", ".."].contains(value)
            let head = Result {
                try environment.head(for: .get("a/\(value)/z", query: Query(items), decoding: .bytes))
            }
            if isRefused {
                #expect(throws: ReadFailure.self) { try head.get() }
                continue
            }
            let path = try #require(try head.get().path)
            let read = try #require(URLComponents(string: "https://h" + path))
            let segments = read.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
            #expect(segments.map { $0.removingPercentEncoding } == ["", "base", "a", value, "z"])
            #expect(read.queryItems?.map(\.name) == items.map(\.name))
            #expect(read.queryItems?.map(\.value) == items.map(\.value))
        }
    }

    private func text(using random: inout SeededGenerator) -> String {
        let odd: [Unicode.Scalar] = ["/", "?", "#", "%", "&", "=", "+", " ", ".", ";", "@", ":", "\0", "\n", "\""]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text.append(odd.randomElement(using: &random) ?? "/")
            case 1: text.append(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))
            case 2: text.append(Unicode.Scalar(UInt32.random(in: 0xA0...0xD7FF, using: &random)) ?? "x")
            default: text.append(Unicode.Scalar(UInt32.random(in: 0x1F300...0x1FAFF, using: &random)) ?? "x")
            }
        }
        return String(text)
    }
}
