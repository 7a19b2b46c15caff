import WharfJSON

// The code that the macro writes. Keys are short, so that the fuzzer finds them.

struct Square: Hashable, JSONCodable {
    var a: Int
    var label: String?
    var size: Double

    static func decode(from json: inout JSONReader) -> Square? {
        guard var fields = json.beginObject() else { return nil }
        var a: Int?
        var label: String??
        var size: Double?
        repeat {
            json.read("a", 0, into: &a, &fields)
            json.read("label", 1, into: &label, &fields)
            json.read("a longer key, of more than thirty-two bytes", 2, into: &size, &fields)
        } while json.next(&fields)
        guard let a else { return json.incomplete(fields, required: [(0, "a")]) }
        return Square(a: a, label: label ?? nil, size: size ?? 1.5)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("a", a)
        json.fieldIfPresent("label", label)
        json.field("a longer key, of more than thirty-two bytes", size)
        json.endObject()
    }
}

enum Suit: String, JSONCodable, CaseIterable { case red, black }

/// Every scalar, and a nested key.
struct Scalars: Hashable, JSONCodable {
    var flag: Bool?
    var byte: UInt8
    var long: Int128?
    var ratio: Float?
    var suit: Suit?
    var lat: Double?
    var list: [Int16]?
    var names: [Int: String]?

    static func decode(from json: inout JSONReader) -> Scalars? {
        guard var fields = json.beginObject() else { return nil }
        var value = Scalars(byte: 0)
        var flag: Bool??
        var byte: UInt8?
        var long: Int128??
        var ratio: Float??
        var suit: Suit??
        var list: [Int16]??
        var names: [Int: String]??
        repeat {
            json.read("f", 0, into: &flag, &fields)
            json.read("b", 1, into: &byte, &fields)
            json.read("l", 2, into: &long, &fields)
            json.read("r", 3, into: &ratio, &fields)
            json.read("s", 4, into: &suit, &fields)
            if json.key("geo", 5, &fields) {
                if var inner = json.beginObject() {
                    repeat { json.read("lat", 0, into: &value.lat, &inner) } while json.next(&inner)
                }
                json.endField(&fields)
            }
            json.read("i", 6, into: &list, &fields)
            json.read("n", 7, into: &names, &fields)
        } while json.next(&fields)
        guard let byte else { return json.incomplete(fields, required: [(1, "b")]) }
        (value.flag, value.byte, value.long, value.ratio) = (flag ?? nil, byte, long ?? nil, ratio ?? nil)
        (value.suit, value.list, value.names) = (suit ?? nil, list ?? nil, names ?? nil)
        return value
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("f", flag)
        json.field("b", byte)
        json.fieldIfPresent("l", long)
        json.fieldIfPresent("r", ratio)
        json.fieldIfPresent("s", suit)
        if let lat {
            json.key("geo")
            json.beginObject()
            json.field("lat", lat)
            json.endObject()
            json.endField()
        }
        json.field("i", list)
        json.fieldIfPresent("n", names)
        json.endObject()
    }
}

final class Tree: Hashable, JSONCodable {
    let children: [Tree]
    let next: Tree?

    init(children: [Tree], next: Tree?) {
        self.children = children
        self.next = next
    }

    static func decode(from json: inout JSONReader) -> Tree? {
        guard var fields = json.beginObject() else { return nil }
        var children: [Tree]?
        var next: Tree??
        repeat {
            json.read("c", 0, into: &children, &fields)
            json.read("n", 1, into: &next, &fields)
        } while json.next(&fields)
        return Tree(children: children ?? [], next: next ?? nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("c", children)
        json.field("n", next)
        json.endObject()
    }

    static func == (left: Tree, right: Tree) -> Bool { left.children == right.children && left.next == right.next }
    func hash(into hasher: inout Hasher) { hasher.combine(children) }
}

/// Adjacent tagging, recursive, keeps unknown kinds.
enum Shape: Hashable, JSONPolymorphic {
    case square(Square)
    case group([Shape])
    case dot
    case unknown(UnknownElement)

    enum Kind: String, CaseIterable, Hashable, Sendable { case square, group, dot, unknown }
    static var discriminator: StaticString { "type" }
    static var content: StaticString? { "v" }

    var kind: Kind {
        switch self {
        case .square: .square
        case .group: .group
        case .dot: .dot
        case .unknown: .unknown
        }
    }

    static func takeKind(_ json: inout JSONReader) -> Kind? {
        if json.take("square") { return .square }
        return json.take("group") ? .group : nil
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Shape? {
        switch kind {
        case .square: return Square.decode(from: &json).map { .square($0) }
        case .group: return [Shape].decode(from: &json).map { .group($0) }
        case .dot:
            json.skipValue()
            return .dot
        case .unknown: return nil
        }
    }

    static func empty(_ kind: Kind) -> Shape? { kind == .dot ? .dot : nil }
    static var unknownKind: Kind? { .unknown }
    static func keep(_ element: UnknownElement) -> Shape? { .unknown(element) }
    var unknownElement: UnknownElement? { if case .unknown(let element) = self { element } else { nil } }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .square(let square): square.encode(into: &json)
        case .group(let shapes): shapes.encode(into: &json)
        case .dot, .unknown: json.null()
        }
    }
}

/// Internal tagging, recursive, no unknown kinds.
indirect enum Node: Hashable, JSONPolymorphic {
    case leaf(Square)
    case pair(Pair)
    case none

    struct Pair: Hashable, JSONCodable {
        var left: Node
        var right: Node?

        static func decode(from json: inout JSONReader) -> Pair? {
            guard var fields = json.beginObject() else { return nil }
            var left: Node?
            var right: Node??
            repeat {
                json.read("l", 0, into: &left, &fields)
                json.read("r", 1, into: &right, &fields)
            } while json.next(&fields)
            guard let left else { return json.incomplete(fields, required: [(0, "l")]) }
            return Pair(left: left, right: right ?? nil)
        }

        func encode(into json: inout JSONWriter) {
            json.beginObject()
            json.field("l", left)
            json.fieldIfPresent("r", right)
            json.endObject()
        }
    }

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

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Node? {
        switch kind {
        case .leaf: return Square.decode(from: &json).map { .leaf($0) }
        case .pair: return Pair.decode(from: &json).map { .pair($0) }
        case .none:
            json.skipValue()
            return Node.none
        }
    }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .leaf(let square): square.encode(into: &json)
        case .pair(let pair): pair.encode(into: &json)
        case .none:
            json.beginObject()
            json.endObject()
        }
    }
}

/// Nested arrays that leave out invalid elements.
struct Feed: Hashable, JSONCodable {
    var rows: LossyArray<Row>
    var shapes: LossyArray<Shape>

    struct Row: Hashable, JSONCodable {
        var cells: LossyArray<Int8>
        var note: String?

        static func decode(from json: inout JSONReader) -> Row? {
            guard var fields = json.beginObject() else { return nil }
            var cells: LossyArray<Int8>?
            var note: String??
            repeat {
                json.read("c", 0, into: &cells, &fields)
                json.read("n", 1, into: &note, &fields)
            } while json.next(&fields)
            guard let cells else { return json.incomplete(fields, required: [(0, "c")]) }
            return Row(cells: cells, note: note ?? nil)
        }

        func encode(into json: inout JSONWriter) {
            json.beginObject()
            json.field("c", cells)
            json.field("n", note)
            json.endObject()
        }
    }

    static func decode(from json: inout JSONReader) -> Feed? {
        guard var fields = json.beginObject() else { return nil }
        var rows: LossyArray<Row>?
        var shapes: LossyArray<Shape>?
        repeat {
            json.read("rows", 0, into: &rows, &fields)
            json.read("shapes", 1, into: &shapes, &fields)
        } while json.next(&fields)
        return Feed(rows: rows ?? [], shapes: shapes ?? [])
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("rows", rows)
        json.field("shapes", shapes)
        json.endObject()
    }
}
