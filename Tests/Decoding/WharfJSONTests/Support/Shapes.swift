import WharfJSON

/// The feed of the article, with hand-written coding.
struct Square: Hashable, Sendable, JSONCodable {
    var length: Int

    static func decode(from json: inout JSONReader) -> Square? {
        guard var fields = json.beginObject() else { return nil }
        var length: Int?
        repeat {
            json.read("length", 0, into: &length, &fields)
        } while json.next(&fields)
        guard let length else { return json.incomplete(fields, required: [(0, "length")]) }
        return Square(length: length)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("length", length)
        json.endObject()
    }
}

struct Rectangle: Hashable, Sendable, JSONCodable {
    var width: Int
    var height: Int
    var name: String?

    static func decode(from json: inout JSONReader) -> Rectangle? {
        guard var fields = json.beginObject() else { return nil }
        var width: Int?
        var height: Int?
        var name: String??
        repeat {
            json.read("width", 0, into: &width, &fields)
            json.read("height", 1, into: &height, &fields)
            json.read("name", 2, into: &name, &fields)
        } while json.next(&fields)
        guard let width, let height else {
            return json.incomplete(fields, required: [(0, "width"), (1, "height")])
        }
        return Rectangle(width: width, height: height, name: name ?? nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("width", width)
        json.field("height", height)
        json.fieldIfPresent("name", name)
        json.endObject()
    }
}

enum Shape: Hashable, Sendable, JSONPolymorphic {
    case square(Square)
    case rectangle(Rectangle)
    case dot
    case unknown(UnknownElement)

    enum Kind: String, CaseIterable, Hashable, Sendable { case square, rectangle, dot, unknown }

    static var discriminator: StaticString { "type" }
    static var content: StaticString? { "attributes" }

    var kind: Kind {
        switch self {
        case .square: .square
        case .rectangle: .rectangle
        case .dot: .dot
        case .unknown: .unknown
        }
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Shape? {
        switch kind {
        case .square: return Square.decode(from: &json).map { .square($0) }
        case .rectangle: return Rectangle.decode(from: &json).map { .rectangle($0) }
        case .dot:
            json.skipValue()
            return .dot
        case .unknown: return nil
        }
    }

    static func empty(_ kind: Kind) -> Shape? { kind == .dot ? .dot : nil }
    static var unknownKind: Kind? { .unknown }
    static func keep(_ element: UnknownElement) -> Shape? { .unknown(element) }

    var unknownElement: UnknownElement? {
        if case .unknown(let element) = self { element } else { nil }
    }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .square(let square): square.encode(into: &json)
        case .rectangle(let rectangle): rectangle.encode(into: &json)
        case .dot, .unknown: json.null()
        }
    }
}
