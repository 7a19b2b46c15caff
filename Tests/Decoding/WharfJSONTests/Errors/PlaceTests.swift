import Testing
import WharfChecks
import WharfJSON

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
        // Characters of two, three and four bytes, and one of two scalars, on the line and before
        // it.
        (#"{"é€😀":"#, 8), ("{\"e\u{301}\":", 7), ("{\"é€😀\n", 0), (#"{"\u00e9":"#, 11),
    ])
    func columnsCountScalars(_ before: String, _ column: Int) throws {
        guard column > 0 else { return }
        let document = "{\"äöü😀\":\n1,\n \"x\":\n\(before)\"x\"}}"
        let issue = try #require(failure([String: JSONValueOfNumbers].self, document).first)
        #expect(issue.location == SourceLocation(offset: Array(document.utf8).count - 5, line: 4, column: column))
        #expect(issue.path.steps.first == "x")
    }

    @Test func pathKeysAreUnescaped() throws {
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

    @Test func everyIssueIsLocatedAtTheValueOfItsPath() async throws {
        // The offset of each issue is the start of the tree's value at the same path.
        try await forAll(Self.document(depth: 4), runs: 200) { text in
            let document = JSONBytes(text)
            let value = try JSON.decode(JSONValue.self, from: document)
            for issue in failure(JSONValueOfNumbers.self, document.array) {
                let location = issue.location
                let offset = value[issue.path]?.range?.lowerBound
                try require(offset == location.offset, "\(issue.path) at \(location.offset)")
                let before = String(decoding: document[0..<location.offset], as: UTF8.self)
                let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
                let column = (lines.last?.count ?? 0) + 1
                try require(
                    location.line == lines.count && location.column == column,
                    "\(issue.path) at \(location), not \(lines.count):\(column)")
            }
        }
    }

    private static func document(depth: Int) -> Generator<String> {
        let leaves: [(weight: Int, generator: Generator<String>)] = [
            (2, .just("1")), (1, .element(of: ["\"\"", "\"é😀\"", "\"a\\n\\\"{\"", "\"]\""])),
            (1, .element(of: ["null", "true"])),
        ]
        guard depth > 0 else { return .frequency(leaves[0], leaves[1], leaves[2]) }
        let blank = Generator.element(of: ["", " ", "\n", "\r\n", "\t ", "\n\n  "])
        let inner = document(depth: depth - 1)
        let elements = Generator.array(of: .zip(blank, inner, blank), count: 0...4).map { elements in
            "[" + elements.map { $0 + $1 + $2 }.joined(separator: ",") + "]"
        }
        let members = Generator.array(of: .zip(blank, blank, blank, inner, blank), count: 0...4).map { members in
            let texts = members.enumerated().map { number, part in
                "\(part.0)\"k\\u00e9\(number)\"\(part.1):\(part.2)\(part.3)\(part.4)"
            }
            return "{" + texts.joined(separator: ",") + "}"
        }
        return .frequency(leaves[0], leaves[1], leaves[2], (2, elements), (2, members))
    }
}

/// Nested arrays and objects of numbers. Every other value is an error.
struct JSONValueOfNumbers: JSONDecodable {
    static func decode(from json: inout JSONReader) -> JSONValueOfNumbers? {
        switch json.kind {
        case .array: [JSONValueOfNumbers].decode(from: &json).map { _ in JSONValueOfNumbers() }
        case .object: [String: JSONValueOfNumbers].decode(from: &json).map { _ in JSONValueOfNumbers() }
        default: json.double().map { _ in JSONValueOfNumbers() }
        }
    }
}
