import Testing
import WharfJSON

/// Unions with an adjacent tag: the tag stands beside the value.
@Suite struct AdjacentTagTests {
    @Test(arguments: [
        #"{"type":"square","attributes":{"length":2}}"#, #"{"attributes":{"length":2},"type":"square"}"#,
        #"{"x":1,"type":"square","y":[{}],"attributes":{"length":2},"z":null}"#,
        #"{"x":1,"attributes":{"length":2},"y":"\n","type":"square","z":{}}"#,
        #"{"\u0074ype":"square","attributes":{"length":2}}"#,
        #"{"type":"squ\u0061re","attributes":{"length":2}}"#,
        #"{"attribut\u0065s":{"length":2},"t\u0079pe":"squa\u0072e"}"#,
        #"{"type":"square","type":"dot","attributes":{"length":2},"attributes":7}"#,
        #"{"attributes":{"length":2},"type":"square","attributes":7,"type":"dot"}"#,
    ])
    func tagIsFoundFirstLastOrEscaped(_ document: String) throws {
        #expect(try JSON.decode(Shape.self, from: document) == .square(Square(length: 2)))
        #expect(try JSON.decode([Shape].self, from: "[\(document),\(document)]").count == 2)
    }

    @Test(arguments: [
        (#"{"attributes":{"length":2}}"#, "0 type missingKey"), ("{}", "0 type missingKey"),
        (#"{"type":7}"#, "8 type typeMismatch"),
        (#"{"attributes":{"length":"x"},"type":null}"#, "36 type typeMismatch"),
        (#"{"type":"square"}"#, "0 attributes missingKey"),
        (#"{"type":"square","attributes":null}"#, "30 attributes typeMismatch"), ("7", "0  typeMismatch"),
        (#"{"attributes":7,"type":"square"}"#, "14 attributes typeMismatch"),
        (#"{"attributes":{"length":2.5},"type":"square"}"#, "24 attributes.length typeMismatch"),
        (#"{"attributes":{},"type":"square"}"#, "14 attributes.length missingKey"),
        (#"{"attributes":{"length":02},"type":"square"}"#, "25 attributes.length syntax"),
        (#"{"type":"square","#, "17  syntax"),
        (#"{"type":"square","attributes":{"length":2}"#, "42 attributes syntax"),
    ])
    func invalidElementIsReportedOnceWithItsLocation(_ document: String, _ expected: String) {
        #expect(failure(Shape.self, document).map { "\($0.location.offset) \($0.path) \($0.code)" } == [expected])
    }

    @Test func errorsAfterRewindKeepDocumentOrder() {
        let document = """
            [{"attributes": {"length": "x"},
              "type": "square"}, {"attributes": {"width": 1,
              "height": true}, "type": "rectangle"}, {"type": 1}]
            """
        #expect(
            failure([Shape].self, document).map { "\($0.location) \($0.path) \($0.found)" } == [
                #"1:28 [0].attributes.length the string "x""#, "3:13 [1].attributes.height true",
                "3:51 [2].type the number 1",
            ])
    }

    @Test(arguments: [
        #"{"type":"blob"}"#, #"{ "type" : "blob" , "attributes" : { "n" : [ 1 , 2.50 , 1E400 ] } }"#,
        #"{"attributes":"\u00e9\/","type":"bl\u006fb","attributes":1}"#,
        "{\"z\":{\"type\":\"square\"},\n\t\"type\":\"\",\"attributes\":{}}",
        #"{"type":"unknown","attributes":7}"#,
    ])
    func anElementOfUnknownKindIsKeptByteForByte(_ document: String) throws {
        let shapes = try JSON.decode([Shape].self, from: " [ \(document) ,{\"type\":\"dot\"}]")
        #expect(shapes[0].unknownElement?.json == Array(document.utf8))
        #expect(shapes[0].kind == .unknown)
        #expect(try text(shapes) == "[\(document),{\"type\":\"dot\"}]")
        #expect(
            try shapes[0].unknownElement?.value()["type"]
                == .init(.string(try #require(shapes[0].unknownElement?.kind))))
    }

    @Test func aKindWithoutAValueNeedsNone() throws {
        for document in [
            #"{"type":"dot"}"#, #"{"type":"dot","attributes":null}"#, #"{"attributes":{"a":[]},"type":"dot"}"#,
        ] {
            #expect(try JSON.decode(Shape.self, from: document) == .dot)
        }
        #expect(try text(Shape.dot) == #"{"type":"dot"}"#)
    }

    @Test func unknownKindWithoutUnknownCaseIsALocatedError() throws {
        let issue = try #require(failure([Group].self, #"[{"of":[],"is":"group"},{"of":1,"is":"blob"}]"#).first)
        #expect(issue.code == .unknownCase)
        #expect(issue.path == [1, "is"])
        #expect(issue.location.offset == 37)
        #expect(issue.expected == #"one of "group", "empty""#)
        #expect(issue.found == #"the string "blob""#)
    }

    @Test(arguments: [1, 2, 60]) func nestingWithTheTagLastIsRead(_ depth: Int) throws {
        var group = try JSON.decode(Group.self, from: Self.nested(depth, tagFirst: false))
        var levels = 0
        while case .group(let groups) = group, let first = groups.first { (group, levels) = (first, levels + 1) }
        #expect(levels == depth)
    }

    @Test func deepNestingWithTagLastFailsAfterLinearWork() throws {
        // Each level is skipped once per level around it. Decoding stops at 64 times the document.
        #expect(failure(Group.self, Self.nested(250, tagFirst: true)).isEmpty)
        let wide = Self.nested(250, tagFirst: false, inmost: String(repeating: " ", count: 100_000))
        let issues = failure(Group.self, wide)
        #expect(issues.map(\.code) == [.tooManyRewinds])
        let level = try #require(issues.first).path.steps.count / 2
        // The bytes read again amount to about `level` times the document.
        #expect((60...66).contains(level))
        // A longer document is read as deeply and as often, so the cost is linear.
        let longer = Self.nested(250, tagFirst: false, inmost: String(repeating: " ", count: 400_000))
        #expect(abs(try #require(failure(Group.self, longer).first).path.steps.count / 2 - level) <= 2)
    }

    private static func nested(_ depth: Int, tagFirst: Bool, inmost: String = "") -> String {
        String(repeating: tagFirst ? #"{"is":"group","of":["# : #"{"of":["#, count: depth)
            + #"{"is":"empty"\#(inmost)}"#
            + String(repeating: tagFirst ? "]}" : #"],"is":"group"}"#, count: depth)
    }

    private enum Group: JSONPolymorphic {
        case group([Group])
        case empty

        enum Kind: String, CaseIterable, Hashable, Sendable { case group, empty }
        static var discriminator: StaticString { "is" }
        static var content: StaticString? { "of" }
        var kind: Kind { if case .group = self { .group } else { .empty } }

        static func takeKind(_ json: inout JSONReader) -> Kind? { json.take("group") ? .group : nil }

        static func decode(_ kind: Kind, from json: inout JSONReader) -> Group? {
            guard kind == .group else {
                json.skipValue()
                return .empty
            }
            return [Group].decode(from: &json).map { .group($0) }
        }

        static func empty(_ kind: Kind) -> Group? { kind == .empty ? .empty : nil }
        func encodeContent(into json: inout JSONWriter) { json.null() }
    }
}
