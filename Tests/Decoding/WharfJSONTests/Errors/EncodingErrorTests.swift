import Testing
import WharfJSON

@Suite struct EncodingErrorTests {
    private func issues(_ value: some JSONEncodable) -> [String] {
        do throws(JSONError) {
            _ = try JSON.encode(value)
            return []
        } catch {
            return error.issues.map { "\($0.path) \($0.code) \($0.expected)" }
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan]) func anInfiniteNumberIsReportedWithItsPath(_ number: Double) {
        let expected = "notEncodable a finite number, as JSON has no \(number)"
        #expect(issues(number) == [" " + expected])
        #expect(issues([1, number, 2, number]) == ["[1] " + expected, "[3] " + expected])
        #expect(issues(["a\n": ["b": Float(number)]]) == [#"["a\n"].b "# + expected])
    }

    @Test func pathIsRightAfterInsertedTag() {
        let expected = "notEncodable a finite number, as JSON has no inf"
        let node = Node.pair(.leaf(size: .infinity), .pair(.leaf(size: 1), .leaf(size: .infinity)))
        #expect(issues([node]) == ["[0].left.size " + expected, "[0].right.right.size " + expected])
        #expect(issues(["a": [Node.leaf(size: 1), .leaf(size: .infinity)]]) == ["a[1].size " + expected])
    }

    @Test func tagInNonObjectContentIsAnError() {
        let expected = #" notEncodable an object to put the tag "t" into"#
        #expect(issues([Node.list([1])]) == ["[0]" + expected])
        // Errors inside a content that can't be written at all are not reported.
        #expect(
            issues([Node.list([.infinity]), .leaf(size: .nan)]) == [
                "[0]" + expected, "[1].size notEncodable a finite number, as JSON has no nan",
            ])
        #expect(issues([Node.number(.infinity)]) == ["[0] notEncodable a finite number, as JSON has no inf"])
    }

    @Test func encodingErrorsBeyondAThousandAreCounted() throws {
        let error = try #require(throws: JSONError.self) { try JSON.encode([Double](repeating: .nan, count: 1234)) }
        #expect(error.issues.count == 1000)
        #expect(error.omitted == 234)
    }

    private indirect enum Node: JSONPolymorphic {
        case leaf(size: Double)
        case pair(Node, Node)
        case list([Double])
        case number(Double)

        enum Kind: String, CaseIterable, Hashable, Sendable { case leaf, pair, list, number }
        static var discriminator: StaticString { "t" }
        static var content: StaticString? { nil }
        static func decode(_ kind: Kind, from json: inout JSONReader) -> Node? { json.mismatch(expected: "nothing") }

        var kind: Kind {
            switch self {
            case .leaf: .leaf
            case .pair: .pair
            case .list: .list
            case .number: .number
            }
        }

        func encodeContent(into json: inout JSONWriter) {
            switch self {
            case .leaf(let size):
                json.beginObject()
                json.field("size", size)
                json.endObject()
            case .pair(let left, let right):
                json.beginObject()
                json.field("left", left)
                json.field("right", right)
                json.endObject()
            case .list(let numbers): numbers.encode(into: &json)
            case .number(let number): json.double(number)
            }
        }
    }
}
