import Testing
import WharfJSON

/// A JSON tree inside a type that `CodableJSONDecoder` decodes.
@Suite struct DecodedTreeTests {
    private struct Envelope: Decodable {
        let body: JSONValue
        let list: [JSONValue]
        let byKey: [String: JSONValue]
        let none: JSONValue?
    }

    private static let document = """
        \u{FEFF}{"none": null, "é": 0,
         "list": [ 1.50, "a\\"b" ,{} ],
          "byKey": {"x": [ true ], "\\u0079": null},
         "body" : { "a": [1, {"b" : -2e1}], "c": "é😀", "d": [] } }
        """

    @Test func decodedValueKnowsItsRangeInTheDocument() throws {
        let bytes = Array(Self.document.utf8)
        let envelope = try CodableJSONDecoder().decode(Envelope.self, from: bytes)
        let roots = [envelope.body] + envelope.list + envelope.byKey.values
        let found = try roots.flatMap { try texts($0, bytes) }
        #expect(
            found.sorted()
                == [
                    "-2e1", "1", "1.50", "[ true ]", "[1, {\"b\" : -2e1}]", "[]", "\"a\\\"b\"", "\"é😀\"", "null",
                    "true",
                    "{ \"a\": [1, {\"b\" : -2e1}], \"c\": \"é😀\", \"d\": [] }", "{\"b\" : -2e1}", "{}",
                ].sorted())
        // The ranges equal those in the tree of the whole document.
        let whole = try JSON.decode(JSONValue.self, from: bytes)
        #expect(envelope.body["a"]?[1]?["b"]?.range == whole["body"]?["a"]?[1]?["b"]?.range)
        #expect(envelope.byKey["y"]?.range == whole["byKey"]?["y"]?.range)
    }

    @Test(arguments: [1, 512, 600, 998]) func treeDecodesUpToTheDecodersMaximumDepth(_ depth: Int) throws {
        let tree = String(repeating: "[", count: depth) + "7" + String(repeating: "]", count: depth)
        let document = Array(#"{"list": [\#(tree)], "body": 0, "byKey": {"x": \#(tree)}}"#.utf8)
        var decoder = CodableJSONDecoder()
        decoder.maximumDepth = 1000
        let envelope = try decoder.decode(Envelope.self, from: document)
        for value in [envelope.list[0], envelope.byKey["x"]] {
            let inmost = value?[JSONPath(Array(repeating: .index(0), count: depth))]
            #expect(inmost == 7)
            let range = try #require(inmost?.range)
            #expect(document[range].elementsEqual("7".utf8))
        }
        decoder.maximumDepth = depth + 1
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Envelope.self, from: document) }
        #expect(error.flatMap(CodableErrorTests.cause)?.code == .tooDeep)
    }

    /// The source texts of a value and of all values below it.
    private func texts(_ value: JSONValue, _ document: [UInt8]) throws -> [String] {
        let own = String(decoding: document[try #require(value.range)], as: UTF8.self)
        #expect(try JSON.decode(JSONValue.self, from: own) == value)
        let below: [JSONValue] =
            switch value.content {
            case .array(let elements): elements
            case .object(let members): members.map(\.value)
            default: []
            }
        return try [own] + below.flatMap { try texts($0, document) }
    }
}
