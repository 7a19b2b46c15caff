import Testing
import WharfJSON
import WharfTesting

@Suite struct PlaceTests {
    @Test(arguments: [
        ("[1,\n2,\n\"x\"]", "3:1", "[2]", 7), ("[1,\r\n2,\r\n \"x\"]", "3:2", "[2]", 10),
        ("[1,\r2, \"x\"]", "1:8", "[2]", 7),
        ("\n\n\n\"x\"", "4:1", "", 3), ("[[1],[2,\"x\"]]", "1:9", "[1][1]", 8),
    ])
    func linesEndWithALineFeed(_ document: String, _ place: String, _ path: String, _ offset: Int) throws {
        let issue = try #require(failure(JSONValueOfNumbers.self, document).first)
        #expect(issue.location.description == place)
        #expect(issue.path.description == path)
        #expect(issue.location.offset == offset)
    }

    @Test(arguments: [
        // Characters of two, three and four bytes, and one of two scalars, before and on the line.
        (#"{"é€😀":"#, 8), ("{\"e\u{301}\":", 7), ("{\"é€😀\n", 0), (#"{"\u00e9":"#, 11),
    ])
    func columnsCountScalars(_ before: String, _ column: Int) throws {
        guard column > 0 else { return }
        let document = "{\"äöü😀\":\n1,\n \"x\":\n\(before)\"x\"}}"
        let issue = try #require(failure([String: JSONValueOfNumbers].self, document).first)
        #expect(issue.location == SourceLocation(offset: Array(document.utf8).count - 5, line: 4, column: column))
        #expect(issue.path.steps.first == "x")
    }

    @Test func keysInThePathAreWithoutTheirEscapes() throws {
        let document = #"{"a\u0062\n": {"": {"é": [0, {"x.y": {"plain_1": "no"}}]}}}"#
        let issue = try #require(failure(JSONValueOfNumbers.self, document).first)
        #expect(issue.path == ["ab\n", "", "é", 1, "x.y", "plain_1"])
        #expect(issue.path.description == #"["ab\n"][""].é[1]["x.y"].plain_1"#)
        let value = try JSON.decode(JSONValue.self, from: document)
        #expect(value[issue.path] == "no")
    }

    @Test func bracketsAndQuotesInStringsAreNoStructure() throws {
        let document = #"{"]}\"": ["[{\\\"", 1, {"},": "\\", "b": ["]", "\\\"", "x"]}]}"#
        let issues = failure(JSONValueOfNumbers.self, document)
        #expect(
            issues.map(\.path.description) == [
                #"["]}\""][0]"#, #"["]}\""][2]["},"]"#, #"["]}\""][2].b[0]"#, #"["]}\""][2].b[1]"#,
                #"["]}\""][2].b[2]"#,
            ])
    }

    @Test func everyPlaceInALargeDocumentIsTheValues() throws {
        // Each issue's offset begins the value that the tree has at its path.
        var random = SeededGenerator(seed: 37)
        for _ in 0..<50 {
            let document = JSONBytes(Self.random(&random, 4))
            let value = try JSON.decode(JSONValue.self, from: document)
            for issue in failure(JSONValueOfNumbers.self, document.array) {
                #expect(value[issue.path]?.range?.lowerBound == issue.location.offset)
                let before = String(decoding: document[0..<issue.location.offset], as: UTF8.self)
                let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(issue.location.line == lines.count)
                #expect(issue.location.column == (lines.last?.count ?? 0) + 1)
            }
        }
    }

    private static func random(_ random: inout SeededGenerator, _ depth: Int) -> String {
        func blank() -> String { ["", " ", "\n", "\r\n", "\t ", "\n\n  "].randomElement(using: &random) ?? "" }
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
        case 0, 1: return "1"
        case 2: return ["\"é😀\"", "\"\"", "\"a\\n\\\"{\"", "\"]\""].randomElement(using: &random) ?? ""
        case 3: return ["null", "true"].randomElement(using: &random) ?? ""
        case 4, 5:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                blank() + Self.random(&random, depth - 1) + blank()
            }
            return "[" + elements.joined(separator: ",") + "]"
        default:
            let members = (0..<Int.random(in: 0...4, using: &random)).map { number in
                "\(blank())\"k\\u00e9\(number)\"\(blank()):\(blank())\(Self.random(&random, depth - 1))\(blank())"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }
}

/// Any nesting of arrays and objects around numbers; everything else is an error.
struct JSONValueOfNumbers: JSONDecodable {
    static func decode(from json: inout JSONReader) -> JSONValueOfNumbers? {
        switch json.kind {
        case .array: [JSONValueOfNumbers].decode(from: &json).map { _ in JSONValueOfNumbers() }
        case .object: [String: JSONValueOfNumbers].decode(from: &json).map { _ in JSONValueOfNumbers() }
        default: json.double().map { _ in JSONValueOfNumbers() }
        }
    }
}
