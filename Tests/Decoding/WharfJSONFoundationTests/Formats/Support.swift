import Testing
import WharfJSON

/// The only issue of a value in an array after a line break, so that location and path are tested.
func issue<Format: JSONFormat>(_ format: Format.Type, _ value: String) throws -> JSONIssue {
    var json = JSONReader(JSONBytes("[\n  \(value)]"))
    let start = json.beginArray()
    var elements = try #require(start)
    while json.next(&elements) {
        let value = Format.decode(from: &json)
        #expect(value == nil)
    }
    var thrown: JSONError?
    do throws(JSONError) { try json.finish() } catch { thrown = error }
    let error = try #require(thrown)
    #expect(error.issues.count == 1)
    #expect(error.location.description == "2:3")
    #expect(error.path.description == "[0]")
    return error.issues[0]
}

/// The format that a type has by itself.
enum Own<Value: JSONCodable>: JSONFormat {
    static func decode(from json: inout JSONReader) -> Value? { Value.decode(from: &json) }
    static func encode(_ value: Value, into json: inout JSONWriter) { value.encode(into: &json) }
}

func decoded<Format: JSONFormat>(_ format: Format.Type, _ text: String) throws -> Format.Value {
    var json = JSONReader(JSONBytes(text))
    let value = Format.decode(from: &json)
    try json.finish()
    return try #require(value)
}

func encoded<Format: JSONFormat>(_ format: Format.Type, _ value: Format.Value) throws -> String {
    var json = JSONWriter()
    Format.encode(value, into: &json)
    return String(decoding: try json.finish(), as: UTF8.self)
}
