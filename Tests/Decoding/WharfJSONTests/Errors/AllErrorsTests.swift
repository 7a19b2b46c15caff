import Testing
import WharfJSON

@Suite struct AllErrorsTests {
    private func summaries<Value: JSONDecodable>(
        _ type: Value.Type, _ text: String, _ options: JSONReadingOptions = .init()
    ) -> [String] {
        failure(type, text, options: options).map { "\($0.location.offset) \($0.path) \($0.code)" }
    }

    @Test func childErrorIsReportedOnceAndNotForItsParent() {
        let document = """
            {"id": "x", "shapes": [{"type": "square", "attributes": {"length": 1.5}}, 7,
             {"type": "rectangle", "attributes": {"name": 3}}, {"attributes": {"length": true}, "type": "square"}],
             "inner": {"left": []}, "more": 1}
            """
        #expect(
            summaries(Album.self, document) == [
                "7 id typeMismatch", "67 shapes[0].attributes.length typeMismatch", "74 shapes[1] typeMismatch",
                "114 shapes[2].attributes.width missingKey", "114 shapes[2].attributes.height missingKey",
                "123 shapes[2].attributes.name typeMismatch", "154 shapes[3].attributes.length typeMismatch",
                "191 inner.right missingKey", "200 inner.left typeMismatch",
            ])
    }

    @Test func missingKeysComeInTheirDeclaredOrder() {
        #expect(
            summaries(Album.self, #" {"inner": {}}"#) == [
                "1 id missingKey", "1 shapes missingKey", "11 inner.left missingKey", "11 inner.right missingKey",
            ])
        #expect(summaries(Album.self, "{}") == ["0 id missingKey", "0 shapes missingKey", "0 inner missingKey"])
    }

    @Test func errorsBeforeSyntaxErrorAreReportedWithIt() {
        #expect(
            summaries(Album.self, #"{"id": "x", "shapes": [1, 2"#) == [
                "7 id typeMismatch", "23 shapes[0] typeMismatch", "26 shapes[1] typeMismatch", "27 shapes[1] syntax",
            ])
        // A syntax error in a value of the wrong type is the only error.
        #expect(summaries(Album.self, #"{"id": "x\q"}"#) == ["9 id syntax"])
        #expect(summaries(Album.self, #"{"id": [1,]}"#) == ["10 id[1] syntax"])
        // No member is reported as missing after a syntax error.
        #expect(summaries(Album.self, "{\"id\": 1,") == ["9  syntax"])
    }

    @Test func stopsAtFirstErrorReportsOneIssueOnly() {
        let stop = JSONReadingOptions(stopsAtFirstError: true)
        #expect(summaries(Album.self, #"{"id": "x", "shapes": [7], "more": 01}"#, stop) == ["7 id typeMismatch"])
        #expect(summaries(Album.self, "{}", stop) == ["0 id missingKey"])
        #expect(
            summaries([Shape].self, #"[{"attributes": {"length": "x"}, "type": "square"}, 1"#, stop) == [
                "27 [0].attributes.length typeMismatch"
            ])
        #expect(summaries([Int: Int].self, #"{"x": 1, "y": 2}"#, stop) == ["1 x invalidValue"])
        #expect(summaries(Card.self, #"{"id": 1000, "size": 01}"#, stop) == ["7 id outOfRange"])
    }

    @Test func rereadValueReportsEachErrorOnce() {
        let document =
            #"[{"attributes": {"length": "x", "more": {"a": [1]}}, "type": "square"}, {"attributes": {}, "type": "rectangle"}]"#
        #expect(
            summaries([Shape].self, document) == [
                "27 [0].attributes.length typeMismatch", "87 [1].attributes.width missingKey",
                "87 [1].attributes.height missingKey",
            ])
    }

    @Test func errorsBeyondTheLimitAreCounted() throws {
        let document = JSONBytes("[" + Array(repeating: "\"x\"", count: 100_000).joined(separator: ",") + "]")
        for limit in [1, 7, 1000] {
            let error = try #require(throws: JSONError.self) {
                try JSON.decode([Int].self, from: document, options: .init(maximumIssues: limit))
            }
            #expect(error.issues.count == limit)
            #expect(error.omitted == 100_000 - limit)
            #expect(error.issues.last?.path == [.index(limit - 1)])
        }
    }

    @Test(arguments: [1, 1000]) func unknownCasesBeyondTheLimitAreCounted(_ limit: Int) throws {
        let count = 200_000
        let document = JSONBytes("[" + Array(repeating: "\"green\"", count: count).joined(separator: ",") + "]")
        let error = try #require(throws: JSONError.self) {
            try JSON.decode([Card.Suit].self, from: document, options: .init(maximumIssues: limit))
        }
        #expect(error.issues.count == limit)
        #expect(error.omitted == count - limit)
        #expect(error.issues.allSatisfy { $0.code == .unknownCase && $0.expected == #"one of "red", "black""# })
        #expect(error.issues.map(\.path) == (0..<limit).map { [.index($0)] })
        #expect(error.description.hasPrefix("\(count) errors\n"))
    }

    @Test(arguments: [0, -1, Int.min]) func nonpositiveLimitKeepsOneError(_ limit: Int) throws {
        // Set afterwards as well. Otherwise all errors would be counted, and none thrown.
        var options = JSONReadingOptions()
        options.maximumIssues = limit
        for options in [options, JSONReadingOptions(maximumIssues: limit)] {
            let error = try #require(throws: JSONError.self) {
                try JSON.decode(Card.self, from: JSONBytes(#"{"id": 1, "size": "x", "suit": 7}"#), options: options)
            }
            #expect(error.issues.count == 1)
            #expect(error.omitted == 1)
        }
    }

    @Test func syntaxErrorIsKeptBeyondTheLimit() throws {
        let error = try #require(throws: JSONError.self) {
            try JSON.decode([Int].self, from: JSONBytes(#"["a","b","c","#), options: .init(maximumIssues: 1))
        }
        #expect(error.issues.map(\.code) == [.typeMismatch, .syntax])
        #expect(error.omitted == 2)
    }

    @Test func pathsThroughOneKeyShareItsText() {
        // A thousand errors below a key of a hundred thousand bytes share one copy of its text.
        let key = String(repeating: "k", count: 100_000)
        let issues = failure(
            [String: [Int]].self, "{\"\(key)\": [\(Array(repeating: "\"x\"", count: 1000).joined(separator: ","))]}")
        #expect(issues.count == 1000)
        var places: Set<UnsafeRawPointer> = []
        for issue in issues {
            guard case .key(var text)? = issue.path.steps.first else { continue }
            // `issues` keeps the strings alive, and `withUTF8` does not move the storage of a
            // native string.
            text.withUTF8 { if let start = $0.baseAddress { places.insert(UnsafeRawPointer(start)) } }
        }
        #expect(places.count == 1)
    }

    private struct Pair: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Pair? {
            guard var fields = json.beginObject() else { return nil }
            var left: Int?
            var right: Int?
            repeat {
                json.read("left", 0, into: &left, &fields)
                json.read("right", 1, into: &right, &fields)
            } while json.next(&fields)
            guard left != nil, right != nil else {
                return json.incomplete(fields, required: [(0, "left"), (1, "right")])
            }
            return Pair()
        }
    }

    private struct Album: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Album? {
            guard var fields = json.beginObject() else { return nil }
            var id: Int?
            var shapes: [Shape]?
            var inner: Pair?
            repeat {
                json.read("id", 0, into: &id, &fields)
                json.read("shapes", 1, into: &shapes, &fields)
                json.read("inner", 2, into: &inner, &fields)
            } while json.next(&fields)
            guard id != nil, shapes != nil, inner != nil else {
                return json.incomplete(fields, required: [(0, "id"), (1, "shapes"), (2, "inner")])
            }
            return Album()
        }
    }
}
