import Testing
import WharfChecks
import WharfJSON

extension JSON {
    /// The encoded value as text.
    static func text(_ value: some JSONEncodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}

/// Decodes a document and compares the value, then encodes the value and compares the text.
func roundTrip<Value: JSONCodable & Equatable>(
    _ text: String, _ value: Value, as written: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
) throws {
    #expect(try JSON.decode(Value.self, from: text) == value, sourceLocation: location)
    #expect(try JSON.text(value) == written ?? text, sourceLocation: location)
}

/// All errors of a document, each as code, path and location.
func issues<Value: JSONDecodable>(_ text: String, as type: Value.Type) -> [String] {
    do throws(JSONError) {
        _ = try JSON.decode(type, from: text)
        return []
    } catch {
        return error.issues.map { "\($0.code) \($0.path) \($0.location)" }
    }
}
