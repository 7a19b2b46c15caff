import Testing
import WharfJSON

/// The locations that `CodableJSONDecoder` reports for errors of unions in a plain type.
@Suite struct UnionPlaceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// The second element, which is on the third line, after two blanks.
        let element: String
        let isInternal: Bool
        let code: JSONIssue.Code
        let path: String
        let place: String
        var testDescription: String { element }
    }

    static let rows = [
        Row(
            element: "{\"kind\": \"note\",\n\"value\": {\"text\": 1}}", isInternal: false, code: .typeMismatch,
            path: "shapes[1].value.text", place: "4:19"),
        Row(
            element: "{\"value\": {\"é\": 1,\n \"text\":\n    []}, \"kind\": \"note\"}", isInternal: false,
            code: .typeMismatch, path: "shapes[1].value.text", place: "5:5"),
        Row(
            element: #"{"value": {}, "kind": "note"}"#, isInternal: false, code: .missingKey,
            path: "shapes[1].value.text", place: "3:13"),
        Row(
            element: "{\"kind\": \"note\",\n\n  \"text\": true}", isInternal: true, code: .typeMismatch,
            path: "shapes[1].text", place: "5:11"),
        Row(element: #"{"kind": "note"}"#, isInternal: true, code: .missingKey, path: "shapes[1].text", place: "3:3"),
        Row(
            element: "{\"value\": {\n\"radius\": \"x\"}, \"kind\": \"circle\"}", isInternal: false,
            code: .typeMismatch, path: "shapes[1].value.radius", place: "4:11"),
        Row(
            element: "{\"kind\": \"circle\",\n\"radius\": null}", isInternal: true, code: .typeMismatch,
            path: "shapes[1].radius", place: "4:11"),
        Row(element: #"{"value": {}}"#, isInternal: false, code: .missingKey, path: "shapes[1].kind", place: "3:3"),
        Row(element: #"{"kind": 7}"#, isInternal: true, code: .typeMismatch, path: "shapes[1].kind", place: "3:12"),
        Row(element: "7", isInternal: true, code: .typeMismatch, path: "shapes[1]", place: "3:3"),
    ]

    @Test(arguments: rows) func unionErrorHasItsLocationInTheDocument(_ row: Row) throws {
        let first = row.isInternal ? #"{"kind": "note", "text": "a"}"# : #"{"kind": "note", "value": {"text": "a"}}"#
        let document = Array("{\"shapes\": [\n\(first),\n  \(row.element)]}".utf8)
        let cause = cause {
            row.isInternal
                ? try CodableJSONDecoder().decode(Feed<Piece<Internal>>.self, from: document) as Any
                : try CodableJSONDecoder().decode(Feed<Piece<Adjacent>>.self, from: document)
        }
        let error = try #require(cause)
        #expect(error.issues.count == 1)
        #expect(error.code == row.code)
        #expect(error.path.description == row.path)
        #expect(error.location.description == row.place)
    }

    @Test func unknownTagErrorIsLocatedAtTheTag() throws {
        let document = "{\"shapes\": [{\"kind\": \"count\", \"value\": 1},\n {\"value\": 1,\n  \"kind\": \"blob\"}]}"
        let cause = cause { try CodableJSONDecoder().decode(Feed<Bare<Adjacent>>.self, from: Array(document.utf8)) }
        let error = try #require(cause)
        #expect(error.code == .invalidValue)
        #expect(error.path.description == "shapes[1].kind")
        #expect(error.location.description == "3:11")
    }

    /// All errors of a directly decoded payload, each with its own location.
    @Test func payloadErrorsEachHaveTheirOwnLocation() throws {
        let document = "{\"shapes\": [\n {\"kind\": \"words\", \"value\": [1,\n \"a\", 2]}]}"
        let cause = cause { try CodableJSONDecoder().decode(Feed<Texts>.self, from: Array(document.utf8)) }
        let error = try #require(cause)
        #expect(
            error.issues.map { "\($0.location) \($0.path)" } == ["2:30 shapes[0].value[0]", "3:7 shapes[0].value[2]"])
    }

    /// A union that rejects numbers at every location.
    private enum Texts: Hashable, Codable, JSONPolymorphic {
        case words

        enum Kind: String, CaseIterable, Hashable, Sendable { case words }
        static var discriminator: StaticString { "kind" }
        static var content: StaticString? { "value" }
        var kind: Kind { .words }

        static func decode(_ kind: Kind, from json: inout JSONReader) -> Self? { nil }
        func encodeContent(into json: inout JSONWriter) { json.null() }
        func encode(to encoder: any Encoder) throws {}

        init(from decoder: any Decoder) throws {
            _ = try PolymorphicDecoder<Self>(decoder).payload(Words.self)
            self = .words
        }

        /// Unlike an array of strings, this type is not `Decodable`.
        private struct Words: JSONDecodable {
            static func decode(from json: inout JSONReader) -> Words? {
                [String].decode(from: &json).map { _ in Words() }
            }
        }
    }
}
