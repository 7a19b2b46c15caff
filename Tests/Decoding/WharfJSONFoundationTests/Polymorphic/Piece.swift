import Foundation
import WharfJSON
import WharfJSONFoundation

/// The position of a union's tag.
protocol Tagging: Sendable { static var content: StaticString? { get } }
enum Adjacent: Tagging { static var content: StaticString? { "value" } }
enum Internal: Tagging { static var content: StaticString? { nil } }

/// A hand-written union. One payload is only `Codable`, and one only `JSONCodable`.
enum Piece<Tag: Tagging>: Hashable, Codable, JSONPolymorphic {
    case circle(Circle), note(Note), unknown(UnknownElement)

    enum Kind: String, CaseIterable, Hashable, Sendable { case circle, note, unknown }
    static var discriminator: StaticString { "kind" }
    static var content: StaticString? { Tag.content }

    var kind: Kind {
        switch self {
        case .circle: .circle
        case .note: .note
        case .unknown: .unknown
        }
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Self? {
        switch kind {
        case .circle: json.payload(Circle.self).map { .circle($0) }
        case .note: json.payload(Note.self).map { .note($0) }
        case .unknown: nil
        }
    }

    static var unknownKind: Kind? { .unknown }
    static func keep(_ element: UnknownElement) -> Self? { .unknown(element) }
    var unknownElement: UnknownElement? { if case .unknown(let element) = self { element } else { nil } }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .circle(let circle): json.payload(circle)
        case .note(let note): json.payload(note)
        case .unknown: json.null()
        }
    }

    init(from decoder: any Decoder) throws {
        let element = try PolymorphicDecoder<Self>(decoder)
        switch element.kind {
        case .circle?: self = .circle(try element.payload(Circle.self))
        case .note?: self = .note(try element.payload(Note.self))
        case .unknown?, nil: self = .unknown(try element.unknown())
        }
    }

    func encode(to encoder: any Encoder) throws {
        let element = PolymorphicEncoder<Self>(encoder)
        switch self {
        case .circle(let circle): try element.encode(.circle, circle)
        case .note(let note): try element.encode(.note, note)
        case .unknown(let unknown): try unknown.encode(to: encoder)
        }
    }
}

struct Circle: Codable, Hashable { let radius: Double }

struct Note: JSONCodable, Hashable {
    let text: String

    static func decode(from json: inout JSONReader) -> Note? {
        guard var fields = json.beginObject() else { return nil }
        var text: String?
        repeat { json.read("text", 0, into: &text, &fields) } while json.next(&fields)
        guard let text else { return json.incomplete(fields, required: [(0, "text")]) }
        return Note(text: text)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("text", text)
        json.endObject()
    }
}

/// A union without a case for unknown kinds, with payloads that are no objects.
enum Bare<Tag: Tagging>: Hashable, Codable, JSONPolymorphic {
    case count(Int), words([String]), ratio(Double)

    enum Kind: String, CaseIterable, Hashable, Sendable { case count, words, ratio }
    static var discriminator: StaticString { "kind" }
    static var content: StaticString? { Tag.content }

    var kind: Kind {
        switch self {
        case .count: .count
        case .words: .words
        case .ratio: .ratio
        }
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Self? {
        switch kind {
        case .count: json.payload(Int.self).map { .count($0) }
        case .words: json.payload([String].self).map { .words($0) }
        case .ratio: json.payload(Double.self).map { .ratio($0) }
        }
    }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .count(let count): json.payload(count)
        case .words(let words): json.payload(words)
        case .ratio(let ratio): json.payload(ratio)
        }
    }

    init(from decoder: any Decoder) throws {
        let element = try PolymorphicDecoder<Self>(decoder)
        switch element.kind {
        case .count?: self = .count(try element.payload(Int.self))
        case .words?: self = .words(try element.payload([String].self))
        case .ratio?: self = .ratio(try element.payload(Double.self))
        case nil: throw element.unknownKind()
        }
    }

    func encode(to encoder: any Encoder) throws {
        let element = PolymorphicEncoder<Self>(encoder)
        switch self {
        case .count(let count): try element.encode(.count, count)
        case .words(let words): try element.encode(.words, words)
        case .ratio(let ratio): try element.encode(.ratio, ratio)
        }
    }
}

/// Unions inside a plain type.
struct Feed<Shape: Codable & Hashable>: Codable, Hashable { var shapes: [Shape] }

/// The coders of both libraries, with sorted keys, so that the texts are equal.
enum Coder: CaseIterable, Sendable {
    case ours, foundation

    func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        switch self {
        case .ours: try CodableJSONDecoder().decode(type, from: Array(text.utf8))
        case .foundation: try JSONDecoder().decode(type, from: Data(text.utf8))
        }
    }

    func encode(_ value: some Encodable) throws -> String {
        switch self {
        case .ours:
            var encoder = CodableJSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(value) as [UInt8], as: UTF8.self)
        case .foundation:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(value) as Data, as: UTF8.self)
        }
    }
}
