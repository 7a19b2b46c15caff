import Testing
import WharfJSON

@Suite struct LossyArrayTests {
    private func decode<Element: JSONDecodable>(
        _ type: Element.Type, _ text: String, _ options: JSONReadingOptions = .init()
    ) throws -> LossyArray<Element> {
        try JSON.decode(LossyArray<Element>.self, from: JSONBytes(text), options: options)
    }

    @Test func lossyArrayLeavesOutInvalidElementsWithReasons() throws {
        let array = try decode(Int8.self, "[1, \"x\",\n 300, 2, null, 3]")
        #expect(array.elements == [1, 2, 3])
        #expect(array.leftOut == 3)
        #expect(
            array.failures.map { "\($0.location) \($0.path) \($0.code)" } == [
                "1:5 [1] typeMismatch", "2:2 [2] outOfRange", "2:10 [4] typeMismatch",
            ])
        #expect(Array(array) == [1, 2, 3])
        #expect(try text(array) == "[1,2,3]")
        #expect(array == [1, 2, 3])
        #expect(array.hashValue == ([1, 2, 3] as LossyArray<Int8>).hashValue)
    }

    @Test func validArrayHasNoFailures() throws {
        for document in ["[]", "[1,2]"] {
            let array = try decode(Int.self, document)
            #expect(array.failures.isEmpty)
            #expect(array.leftOut == 0)
        }
        #expect(failure(LossyArray<Int>.self, "{}").map(\.expected) == ["an array"])
    }

    @Test func anElementWithSeveralFaultsIsLeftOutOnce() throws {
        let array = try decode(
            Shape.self,
            """
            [{"type": "rectangle", "attributes": {"width": "x", "height": "y"}}, {"type": "dot"},
             {"attributes": {"length": []}, "type": "square"}, {"type": 1}, {"type": "rectangle", "attributes": {}}]
            """)
        #expect(array.elements == [.dot])
        #expect(array.leftOut == 4)
        #expect(
            array.failures.map(\.path.description) == [
                "[0].attributes.width", "[0].attributes.height", "[2].attributes.length", "[3].type",
                "[4].attributes.width",
                "[4].attributes.height",
            ])
    }

    @Test func anOptionalFieldThatIsWrongLeavesItsElementOut() throws {
        let array = try decode(Rectangle.self, #"[{"width":1,"height":2,"name":7},{"width":1,"height":2,"name":null}]"#)
        #expect(array.elements == [Rectangle(width: 1, height: 2)])
        #expect(array.failures.map(\.path) == [[0, "name"]])
    }

    @Test(arguments: ["[1,\"x\",", "[1,\"x\" 2]", "[\"x\",01]", "[1]]", "[\"\\q\"]", "[[1},2]"])
    func syntaxErrorFailsTheLossyArray(_ document: String) {
        for stops in [false, true] {
            let issues = failure(LossyArray<Int>.self, document, options: .init(stopsAtFirstError: stops))
            #expect(issues.map(\.code) == [.syntax])
        }
    }

    @Test func syntaxErrorInElementIsReportedAlone() {
        // The element's other errors would have been dropped together with it.
        for stops in [false, true] {
            let issues = failure(
                LossyArray<Rectangle>.self, #"[{"width": "x"}, {"width": "y", "height": 01}]"#,
                options: .init(stopsAtFirstError: stops))
            #expect(issues.map(\.path) == [[1, "height"]])
        }
    }

    @Test func stopsAtFirstErrorIgnoresLeftOutElements() throws {
        let stop = JSONReadingOptions(stopsAtFirstError: true)
        #expect(try decode(Int.self, "[1,\"x\",2]", stop).elements == [1, 2])
        #expect(failure([LossyArray<Int>].self, "[[1,\"x\"],7,8]", options: stop).map(\.path) == [[1]])
    }

    @Test func nestedLossyArrayReportsItsOwnFailures() throws {
        let outer = try decode(LossyArray<Int>.self, "[[1,\"a\",2],7,[3],[\"b\",\"c\"]]")
        #expect(outer.elements.map(\.elements) == [[1, 2], [3], []])
        #expect(outer.leftOut == 1)
        #expect(outer.failures.map(\.path) == [[1]])
        #expect(outer.elements.map { $0.failures.map(\.path) } == [[[0, 1]], [], [[3, 0], [3, 1]]])
        #expect(outer.elements.map(\.leftOut) == [1, 0, 2])
    }

    @Test func leftOutElementReportsItsNestedFailures() throws {
        let outer = try decode(
            Row.self, #"[{"cells":[1,"a"],"id":"x"},{"cells":["b"],"id":1},{"id":true,"cells":["c"]}]"#)
        #expect(outer.elements.count == 1)
        #expect(outer.leftOut == 2)
        #expect(outer.failures.map(\.path.description) == ["[0].cells[1]", "[0].id", "[2].id", "[2].cells[0]"])
        #expect(outer.elements[0].cells.failures.map(\.path.description) == ["[1].cells[0]"])
    }

    @Test func manyFailuresAreCountedAndTheFirstAreKept() throws {
        let array = try decode(Int.self, "[" + Array(repeating: "\"x\"", count: 100_000).joined(separator: ",") + ",1]")
        #expect(array.leftOut == 100_000)
        #expect(array.failures.count == 1000)
        #expect(array.failures.last?.path == [999])
        #expect(array.elements == [1])
    }

    @Test func lossyArraysInOneDocumentKeepFailuresApart() throws {
        let both = try JSON.decode([String: LossyArray<Int>].self, from: #"{"a":[1,"x"],"b":["y",2,"z"]}"#)
        #expect(both["a"]?.failures.map(\.path.description) == ["a[1]"])
        #expect(both["b"]?.failures.map(\.path.description) == ["b[0]", "b[2]"])
    }

    private struct Row: JSONDecodable {
        var cells: LossyArray<Int>

        static func decode(from json: inout JSONReader) -> Row? {
            guard var fields = json.beginObject() else { return nil }
            var cells: LossyArray<Int>?
            var id: Int?
            repeat {
                json.read("cells", 0, into: &cells, &fields)
                json.read("id", 1, into: &id, &fields)
            } while json.next(&fields)
            guard let cells, id != nil else { return json.incomplete(fields, required: [(0, "cells"), (1, "id")]) }
            return Row(cells: cells)
        }
    }
}
