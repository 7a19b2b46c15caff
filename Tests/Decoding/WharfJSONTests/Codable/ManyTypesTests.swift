import Testing
import WharfJSON

/// More types in one document than the initial type tables hold.
@Suite struct ManyTypesTests {
    @Test(arguments: [1, 31, 32, 33, 64, 130]) func manyNestedGenericTypesRoundTrip(_ levels: Int) throws {
        try check(Inmost(number: 7, text: "x", flags: [true, false]), levels)
    }

    private func check<Value: Codable & Equatable>(_ value: Value, _ levels: Int) throws {
        guard levels == 0 else { return try check(Box(inner: value, level: levels), levels - 1) }
        // The second element looks up each type again, after the tables have grown.
        let bytes: [UInt8] = try CodableJSONEncoder().encode([value, value])
        #expect(try CodableJSONDecoder().decode([Value].self, from: bytes) == [value, value])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.split(separator: #"{"number":7,"text":"x","flags":[true,false]}"#).count == 3)
        #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode([Value].self, from: Array(text.replacing("\"x\"", with: "1").utf8))
        }
    }

    private struct Inmost: Codable, Equatable { let number: Int, text: String, flags: [Bool] }

    /// Each nesting makes a new type, with its own keys, arrays and arrays of optionals.
    private struct Box<Inner: Codable & Equatable>: Codable, Equatable {
        let inner: Inner
        let level: Int
        var none: [Inner] = []
        var maybe: [Inner?] = [nil]
    }
}
