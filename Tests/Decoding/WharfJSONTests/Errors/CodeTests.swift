import Testing
import WharfJSON

/// One document for each error code, with everything that is reported about it.
@Suite struct CodeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let document: String
        let code: JSONIssue.Code
        let path: String
        let line: Int
        let column: Int
        let expected: String
        let found: String
        let excerpt: String
        let caret: Int
        var options = JSONReadingOptions()
        var read: @Sendable (String, JSONReadingOptions) -> [JSONIssue] = { failure(Card.self, $0, options: $1) }
        var testDescription: String { "\(code)" }
    }

    static let rows: [Row] = [
        Row(
            document: "{\n  \"id\": 1,\n  \"tags\": [\"a\" \"b\"]\n}", code: .syntax, path: "tags[0]", line: 3,
            column: 16,
            expected: "',' or ']'", found: #"the string "b""#, excerpt: #"  "tags": ["a" "b"]"#, caret: 15),
        Row(
            document: "{\"id\": 1,\n \"size\": 01}", code: .syntax, path: "size", line: 2, column: 11,
            expected: "a number without leading zeros", found: "the number 1", excerpt: #" "size": 01}"#, caret: 10),
        Row(
            document: "{\"id\": 1", code: .syntax, path: "id", line: 1, column: 9, expected: "',' or '}'",
            found: "the end of the document", excerpt: "{\"id\": 1", caret: 8),
        Row(
            document: "{\"id\": 1}\n;", code: .syntax, path: "", line: 2, column: 1,
            expected: "the end of the document",
            found: "';'", excerpt: ";", caret: 0),
        Row(
            document: "[\n", code: .syntax, path: "[0]", line: 2, column: 1, expected: "a value",
            found: "the end of the document", excerpt: "", caret: 0),
        Row(
            document: "{\"id\": 1, \"suit\": \"\\uD83D\"}", code: .syntax, path: "suit", line: 1, column: 26,
            expected: "a low surrogate after a high one", found: "the end of the string",
            excerpt: "{\"id\": 1, \"suit\": \"\\uD83D\"}",
            caret: 25),
        Row(
            document: "{\"inner\": {}}", code: .tooDeep, path: "inner", line: 1, column: 11,
            expected: "at most 1 levels of arrays and objects", found: "an object", excerpt: "{\"inner\": {}}",
            caret: 10,
            options: JSONReadingOptions(maximumDepth: 1)),
        Row(
            document: "{\"size\": 2}", code: .missingKey, path: "id", line: 1, column: 1,
            expected: "a value for the key \"id\"", found: "an object without it", excerpt: "{\"size\": 2}", caret: 0),
        Row(
            document: "{\"id\":\t\"7\"}", code: .typeMismatch, path: "id", line: 1, column: 8,
            expected: "a whole number (Int8)", found: #"the string "7""#, excerpt: "{\"id\": \"7\"}", caret: 7),
        Row(
            document: "{\"id\": 300}", code: .outOfRange, path: "id", line: 1, column: 8,
            expected: "a whole number from -128 to 127 (Int8)", found: "the number 300", excerpt: "{\"id\": 300}",
            caret: 7),
        Row(
            document: "{\"id\": 1, \"size\": -1e999}", code: .outOfRange, path: "size", line: 1, column: 19,
            expected: "a number between -1.7976931348623157e+308 and 1.7976931348623157e+308 (Double)",
            found: "the number -1e999", excerpt: "{\"id\": 1, \"size\": -1e999}", caret: 18),
        Row(
            document: "{\"id\": 1,\r\n\"suit\": \"gr\\u00fcn\"}", code: .unknownCase, path: "suit", line: 2, column: 9,
            expected: #"one of "red", "black""#, found: #"the string "gr\u00fcn""#, excerpt: #""suit": "gr\u00fcn"}"#,
            caret: 8),
        Row(
            document: "{\"id\": 1, \"names\": {\"1\": \"a\", \"x\": \"b\"}}", code: .invalidValue, path: "names.x",
            line: 1,
            column: 31, expected: "a key that reads as Int", found: #"the string "x""#,
            excerpt: "{\"id\": 1, \"names\": {\"1\": \"a\", \"x\": \"b\"}}", caret: 30),
        Row(
            document: "{\"id\": 1, \"inner\": {\"z\": 0,\n \"z\": 1}}", code: .duplicateKey, path: "inner.z", line: 2,
            column: 2,
            expected: "each key of an object once", found: #"the string "z""#, excerpt: " \"z\": 1}}", caret: 1,
            options: JSONReadingOptions(duplicateKeys: .reject)),
        Row(
            // One level per line. The innermost one is so long that the first 64 levels skip it 64
            // times.
            document: String(repeating: "{\"of\": [\n", count: 80) + String(repeating: " ", count: 200_000)
                + "{\"is\": \"bag\", \"of\": []}" + String(repeating: "],\n\"is\": \"bag\"}", count: 80),
            code: .tooManyRewinds, path: "of" + String(repeating: "[0].of", count: 64), line: 65, column: 8,
            expected: "the tag before the value in unions as deeply nested as these", found: "an array",
            excerpt: "{\"of\": [", caret: 7, read: { failure(Bag.self, $0, options: $1) }),
    ]

    @Test(arguments: rows) func eachCodeIsReportedWithAllItsDetails(_ row: Row) throws {
        let issues = row.read(row.document, row.options)
        try #require(issues.count == 1, "\(issues)")
        check(issues[0], row)
    }

    private func check(_ issue: JSONIssue, _ row: Row) {
        #expect(issue.code == row.code)
        #expect(issue.path.description == row.path)
        #expect(issue.location.line == row.line)
        #expect(issue.location.column == row.column)
        #expect(issue.expected == row.expected)
        #expect(issue.found == row.found)
        #expect(issue.excerpt.text == row.excerpt)
        #expect(issue.excerpt.caret == row.caret)
        #expect(
            issue.summary == "\(row.line):\(row.column): \(row.path.isEmpty ? "" : row.path + ": ")"
                + "expected \(row.expected), found \(row.found)")
    }

    @Test func invalidUTF8() throws {
        let document = Array("{\"id\": 1,\n \"é\": \"ab".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        let issues = failure(Card.self, document)
        try #require(issues.count == 1)
        check(
            issues[0],
            Row(
                document: "", code: .invalidUTF8, path: "é", line: 2, column: 10, expected: "valid UTF-8",
                found: "the byte 0xC3",
                excerpt: " \"é\": \"ab\u{FFFD}(\"}", caret: 9))
    }

    @Test func notEncodable() throws {
        let error = try #require(throws: JSONError.self) { try JSON.encode(["a": [1.5, .infinity]]) }
        check(
            error.issues[0],
            Row(
                document: "", code: .notEncodable, path: "a[1]", line: 1, column: 11,
                expected: "a finite number, as JSON has no inf",
                found: "a value that JSON can't express", excerpt: #"{"a":[1.5,null]}"#, caret: 10))
    }

    @Test func errorMessageHasFirstIssueAndCountOfOthers() throws {
        let error = try #require(throws: JSONError.self) {
            try JSON.decode(
                Card.self, from: JSONBytes(#"{"size": "x", "suit": 1, "names": []}"#), options: .init(maximumIssues: 2))
        }
        #expect(error.code == error.issues[0].code)
        #expect(error.path == error.issues[0].path)
        #expect(error.location == error.issues[0].location)
        #expect(error.message.hasSuffix(" (and 3 more)"))
        #expect(error.description.hasPrefix("4 errors\n"))
        #expect(error.description.hasSuffix("\nand 2 more"))
    }
}

/// A type with a field for each kind of error.
struct Card: JSONDecodable {
    enum Suit: String, JSONDecodable, CaseIterable { case red, black }

    static func decode(from json: inout JSONReader) -> Card? {
        guard var fields = json.beginObject() else { return nil }
        var id: Int8?
        var size: Double?
        var suit: Suit?
        var names: [Int: String]?
        var tags: [String]?
        var inner: JSONValue?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("size", 1, into: &size, &fields)
            json.read("suit", 2, into: &suit, &fields)
            json.read("names", 3, into: &names, &fields)
            json.read("tags", 4, into: &tags, &fields)
            json.read("inner", 5, into: &inner, &fields)
        } while json.next(&fields)
        return id == nil ? json.incomplete(fields, required: [(0, "id")]) : Card()
    }
}

/// Nested bags.
private enum Bag: JSONPolymorphic {
    case bag([Bag])

    enum Kind: String, CaseIterable, Hashable, Sendable { case bag }
    static var discriminator: StaticString { "is" }
    static var content: StaticString? { "of" }
    var kind: Kind { .bag }
    static func decode(_ kind: Kind, from json: inout JSONReader) -> Bag? {
        [Bag].decode(from: &json).map { .bag($0) }
    }
    func encodeContent(into json: inout JSONWriter) { json.null() }
}
