internal import WharfJSON

// The expansion of @JSONCodable: the release benchmark is built without swift-syntax.

extension Square: JSONCodable {
    static func decode(from json: inout JSONReader) -> Square? {
        guard var fields = json.beginObject() else { return nil }
        var length: Int?
        repeat {
            json.read("length", 0, into: &length, &fields)
        } while json.next(&fields)
        guard let length else {
            return json.incomplete(
                fields,
                required: [(0, "length")])
        }
        return Square(length: length)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("length", length)
        json.endObject()
    }
}

extension Rectangle: JSONCodable {
    static func decode(from json: inout JSONReader) -> Rectangle? {
        guard var fields = json.beginObject() else { return nil }
        var width: Int?
        var height: Int?
        repeat {
            json.read("width", 0, into: &width, &fields)
            json.read("height", 1, into: &height, &fields)
        } while json.next(&fields)
        guard let width, let height else {
            return json.incomplete(
                fields,
                required: [(0, "width"), (1, "height")])
        }
        return Rectangle(width: width, height: height)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("width", width)
        json.field("height", height)
        json.endObject()
    }
}

extension Point: JSONCodable {
    static func decode(from json: inout JSONReader) -> Point? {
        guard var fields = json.beginObject() else { return nil }
        var x: Int?
        var y: Int?
        repeat {
            json.read("x", 0, into: &x, &fields)
            json.read("y", 1, into: &y, &fields)
        } while json.next(&fields)
        guard let x, let y else {
            return json.incomplete(
                fields,
                required: [(0, "x"), (1, "y")])
        }
        return Point(x: x, y: y)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("x", x)
        json.field("y", y)
        json.endObject()
    }
}

extension Circle: JSONCodable {
    static func decode(from json: inout JSONReader) -> Circle? {
        guard var fields = json.beginObject() else { return nil }
        var radius: Double?
        var center: Point?
        repeat {
            json.read("radius", 0, into: &radius, &fields)
            json.read("center", 1, into: &center, &fields)
        } while json.next(&fields)
        guard let radius, let center else {
            return json.incomplete(
                fields,
                required: [(0, "radius"), (1, "center")])
        }
        return Circle(radius: radius, center: center)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("radius", radius)
        json.field("center", center)
        json.endObject()
    }
}

extension Triangle: JSONCodable {
    static func decode(from json: inout JSONReader) -> Triangle? {
        guard var fields = json.beginObject() else { return nil }
        var a: Int?
        var b: Int?
        var c: Int?
        var label: String?
        repeat {
            json.read("a", 0, into: &a, &fields)
            json.read("b", 1, into: &b, &fields)
            json.read("c", 2, into: &c, &fields)
            json.read("label", 3, into: &label, &fields)
        } while json.next(&fields)
        guard let a, let b, let c, let label else {
            return json.incomplete(
                fields,
                required: [(0, "a"), (1, "b"), (2, "c"), (3, "label")])
        }
        return Triangle(a: a, b: b, c: c, label: label)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("a", a)
        json.field("b", b)
        json.field("c", c)
        json.field("label", label)
        json.endObject()
    }
}

extension TextShape: JSONCodable {
    static func decode(from json: inout JSONReader) -> TextShape? {
        guard var fields = json.beginObject() else { return nil }
        var content: String?
        var fontSize: Int?
        var bold: Bool?
        var color: String??
        repeat {
            json.read("content", 0, into: &content, &fields)
            json.read("fontSize", 1, into: &fontSize, &fields)
            json.read("bold", 2, into: &bold, &fields)
            json.read("color", 3, into: &color, &fields)
        } while json.next(&fields)
        guard let content, let fontSize, let bold else {
            return json.incomplete(
                fields,
                required: [(0, "content"), (1, "fontSize"), (2, "bold")])
        }
        return TextShape(content: content, fontSize: fontSize, bold: bold, color: color ?? nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("content", content)
        json.field("fontSize", fontSize)
        json.field("bold", bold)
        json.fieldIfPresent("color", color)
        json.endObject()
    }
}

extension Shape: JSONPolymorphic {
    static var discriminator: StaticString { "type" }
    static var content: StaticString? { "attributes" }

    static func takeKind(_ json: inout JSONReader) -> Kind? {
        if json.take("square") { return .square }
        if json.take("rectangle") { return .rectangle }
        if json.take("circle") { return .circle }
        if json.take("triangle") { return .triangle }
        if json.take("text") { return .text }
        return nil
    }

    static func decode(_ kind: Kind, from json: inout JSONReader) -> Shape? {
        switch kind {
        case .square: Square.decode(from: &json).map { .square($0) }
        case .rectangle: Rectangle.decode(from: &json).map { .rectangle($0) }
        case .circle: Circle.decode(from: &json).map { .circle($0) }
        case .triangle: Triangle.decode(from: &json).map { .triangle($0) }
        case .text: TextShape.decode(from: &json).map { .text($0) }
        }
    }

    func encodeContent(into json: inout JSONWriter) {
        switch self {
        case .square(let square): square.encode(into: &json)
        case .rectangle(let rectangle): rectangle.encode(into: &json)
        case .circle(let circle): circle.encode(into: &json)
        case .triangle(let triangle): triangle.encode(into: &json)
        case .text(let text): text.encode(into: &json)
        }
    }
}
