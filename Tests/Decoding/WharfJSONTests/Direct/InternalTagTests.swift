import Testing
import WharfJSON

/// Unions with an internal tag: the tag stands inside the value.
@Suite struct InternalTagTests {
    @Test(arguments: [
        #"{"t":"leaf","n":1}"#, #"{"n":1,"t":"leaf"}"#, #"{"x":[{"t":"pair"}],"n":1,"y":"t","t":"leaf","z":{}}"#,
        #"{"n":1,"\u0074":"l\u0065af"}"#, #"{"t":"leaf","n":1,"t":"pair"}"#, "{ \"n\" : 1 ,\n\"t\" : \"leaf\" }",
    ])
    func tagIsFoundFirstLastOrEscaped(_ document: String) throws {
        #expect(try JSON.decode(Tree.self, from: document) == .leaf(1))
        #expect(try JSON.decode([Tree].self, from: "[\(document),\(document)]") == [.leaf(1), .leaf(1)])
    }

    @Test(arguments: [
        ("{}", ["0 t missingKey"]), (#"{"n":1}"#, ["0 t missingKey"]), (#"{"n":"x","t":7}"#, ["13 t typeMismatch"]),
        (#"{"t":"leaf"}"#, ["0 n missingKey"]), (#"{"n":"x","t":"leaf"}"#, ["5 n typeMismatch"]),
        ("[]", ["0  typeMismatch"]),
        (#"{"n":1,"t":"blob"}"#, ["11 t unknownCase"]),
        (#"{"t":"leaf","n":1.5,"x":01}"#, ["16 n typeMismatch", "25 x syntax"]),
        (#"{"t":7,"x":01}"#, ["5 t typeMismatch", "12 x syntax"]), (#"{"t":"blob","x":01}"#, ["17 x syntax"]),
        ("{", ["1  syntax"]),
        (#"{"l":{"t":"x"},"r":{"n":[],"t":"leaf"},"t":"pair"}"#, ["10 l.t unknownCase", "24 r.n typeMismatch"]),
        (#"{"t":"pair","l":{"t":"none"}}"#, ["0 r missingKey"]),
    ])
    func invalidElementIsReportedOnceWithItsLocation(_ document: String, _ expected: [String]) {
        #expect(failure(Tree.self, document).map { "\($0.location.offset) \($0.path) \($0.code)" } == expected)
    }

    @Test func tagIsWrittenBeforeTheOwnFieldsOfTheValue() throws {
        #expect(try text(Tree.leaf(1)) == #"{"t":"leaf","n":1}"#)
        #expect(try text(Tree.none) == #"{"t":"none"}"#)
        let tree = Tree.pair(.pair(.none, .leaf(-2)), .leaf(3))
        let written = try text([tree, .none])
        #expect(
            written
                == #"[{"t":"pair","l":{"t":"pair","l":{"t":"none"},"r":{"t":"leaf","n":-2}},"r":{"t":"leaf","n":3}},{"t":"none"}]"#
        )
        #expect(try JSON.decode([Tree].self, from: written) == [tree, .none])
    }

    @Test func aLargeValueIsWrittenWhole() throws {
        // Lengths around the writer's initial capacity.
        for count in [400, 480, 485, 490, 495, 500, 505, 510, 5000] {
            var tree = Tree.none
            for number in 0..<(count / 20) { tree = .pair(tree, .leaf(number)) }
            #expect(try JSON.decode(Tree.self, from: JSON.encode(tree)) == tree)
        }
    }

    @Test func deepNestingWithTagLastFailsAfterLinearWork() throws {
        func nested(_ depth: Int, _ blanks: Int) -> String {
            String(repeating: #"{"r":{"t":"none"},"l":"#, count: depth)
                + #"{"t":"none"\#(String(repeating: " ", count: blanks))}"#
                + String(repeating: #","t":"pair"}"#, count: depth)
        }
        #expect(failure(Tree.self, nested(60, 0)).isEmpty)
        for blanks in [100_000, 400_000] {
            let issue = try #require(failure(Tree.self, nested(250, blanks)).first)
            #expect(issue.code == .tooManyRewinds)
            #expect((60...66).contains(issue.path.steps.count))
        }
    }

    private indirect enum Tree: Hashable, JSONPolymorphic {
        case leaf(Int)
        case pair(Tree, Tree)
        case none

        enum Kind: String, CaseIterable, Hashable, Sendable { case leaf, pair, none }
        static var discriminator: StaticString { "t" }
        static var content: StaticString? { nil }

        var kind: Kind {
            switch self {
            case .leaf: .leaf
            case .pair: .pair
            case .none: .none
            }
        }

        static func decode(_ kind: Kind, from json: inout JSONReader) -> Tree? {
            guard kind != .none else {
                json.skipValue()
                return Tree.none
            }
            guard var fields = json.beginObject() else { return nil }
            var number: Int?
            var left: Tree?
            var right: Tree?
            repeat {
                if kind == .leaf { json.read("n", 0, into: &number, &fields) }
                if kind == .pair {
                    json.read("l", 1, into: &left, &fields)
                    json.read("r", 2, into: &right, &fields)
                }
            } while json.next(&fields)
            if kind == .leaf { return number.map { .leaf($0) } ?? json.incomplete(fields, required: [(0, "n")]) }
            guard let left, let right else { return json.incomplete(fields, required: [(1, "l"), (2, "r")]) }
            return .pair(left, right)
        }

        func encodeContent(into json: inout JSONWriter) {
            json.beginObject()
            switch self {
            case .leaf(let number): json.field("n", number)
            case .pair(let left, let right):
                json.field("l", left)
                json.field("r", right)
            case .none: break
            }
            json.endObject()
        }
    }
}
