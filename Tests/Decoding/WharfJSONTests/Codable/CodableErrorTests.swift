import Testing
import WharfJSON

/// The errors of `CodableJSONDecoder`, in addition to the `DecodingError` that Foundation would
/// throw.
@Suite struct CodableErrorTests {
    struct Order: Decodable {
        struct Item: Decodable { let name: String, count: Int8 }
        let id: Int
        let items: [Item]
        let suit: Suit
    }

    enum Suit: String, Decodable { case hearts, spades }

    static let faults: [(json: String, code: JSONIssue.Code, path: String, line: Int, column: Int)] = [
        (
            "{\n  \"id\": 1,\n  \"items\": [{\"name\": \"a\", \"count\": 300}], \"suit\": \"hearts\"}", .outOfRange,
            "items[0].count", 3, 36
        ),
        ("{\n\"id\": \"1\", \"items\": [], \"suit\": \"hearts\"}", .typeMismatch, "id", 2, 7),
        ("{\"id\": 1, \"items\": [\n {\"name\": \"é\"}], \"suit\": \"hearts\"}", .missingKey, "items[0].count", 2, 2),
        ("{\"id\": 1, \"items\": [], \"suit\": \"clubs\"}", .invalidValue, "suit", 1, 32),
        ("{\"id\": 1, \"items\": {}, \"suit\": \"hearts\"}", .typeMismatch, "items", 1, 20),
        ("{\"id\": 1, \"items\": [null], \"suit\": \"hearts\"}", .typeMismatch, "items[0]", 1, 21),
        ("{\"id\": 1,\n \"items\": [],}", .syntax, "", 2, 14),
        ("{\"id\": 01}", .syntax, "id", 1, 9),
        ("{\"id\": 1, \"items\": [{\"name\": \"a\",\n \"count\": 1.}]}", .syntax, "items[0].count", 2, 13),
        ("{\"id\": 1, \"unread\": [0,\n {\"é\": \"\\x\"}]}", .syntax, "unread[1].é", 2, 9),
        ("", .syntax, "", 1, 1),
    ]

    @Test(arguments: faults) func decodingErrorHasCodePathAndLocation(
        fault: (json: String, code: JSONIssue.Code, path: String, line: Int, column: Int)
    ) throws {
        let error = #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode(Order.self, from: Array(fault.json.utf8))
        }
        let cause = try #require(error.flatMap(Self.cause))
        #expect(cause.code == fault.code)
        #expect(cause.path.description == fault.path)
        #expect(cause.location.line == fault.line)
        #expect(cause.location.column == fault.column)
        #expect(cause.issues.count == 1)
    }

    static func cause(of error: DecodingError) -> JSONError? {
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context.underlyingError as? JSONError
        @unknown default: nil
        }
    }

    @Test func pathUsesDocumentKeysAndCodingPathUsesTypeKeys() throws {
        struct User: Decodable { let firstName: Int }
        var decoder = CodableJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([User].self, from: Array(#"[{"first_name": true}]"#.utf8))
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["Index 0", "firstName"])
        #expect(error.flatMap(Self.cause)?.path.description == "[0].first_name")
    }

    /// The locations of all errors together take one pass over the document.
    @Test func manyCaughtErrorsEachHaveTheirLocation() throws {
        struct Lenient: Decodable {
            let place: WharfJSON.SourceLocation?
            init(from decoder: any Decoder) throws {
                do {
                    _ = try decoder.singleValueContainer().decode(Int.self)
                    place = nil
                } catch let error as DecodingError {
                    place = CodableErrorTests.cause(of: error)?.location
                }
            }
        }
        let count = 20_000
        let json = "[\n" + Array(repeating: "\"x\"", count: count).joined(separator: ",\n") + "]"
        let values = try CodableJSONDecoder().decode([Lenient].self, from: Array(json.utf8))
        #expect(values.map { $0.place?.line } == Array(2..<count + 2))
        #expect(values.allSatisfy { $0.place?.column == 1 })
    }

    @Test func deepDocumentsAreAnErrorAndDoNotCrash() {
        let json = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        let error = #expect(throws: DecodingError.self) { try CodableJSONDecoder().decode([Int].self, from: json) }
        #expect(error.flatMap(Self.cause)?.code == .tooDeep)
    }

    @Test func encodingTooDeepIsAnErrorAndDoesNotCrash() {
        final class Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(self)
            }
        }
        #expect(throws: EncodingError.self) { try CodableJSONEncoder().encode(Endless()) }
    }

    @Test func infiniteNumbersNameTheirPath() throws {
        let error = #expect(throws: EncodingError.self) {
            try CodableJSONEncoder().encode(["a": [1, Double.infinity]])
        }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(cause.code == .notEncodable)
        #expect(cause.path.description == "a[1]")
    }
}
