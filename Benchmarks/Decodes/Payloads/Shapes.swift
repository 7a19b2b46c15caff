struct Square: Codable, Hashable, Sendable {
    var length: Int
}

struct Rectangle: Codable, Hashable, Sendable {
    var width: Int
    var height: Int
}

struct Point: Codable, Hashable, Sendable {
    var x: Int
    var y: Int
}

struct Circle: Codable, Hashable, Sendable {
    var radius: Double
    var center: Point
}

struct Triangle: Codable, Hashable, Sendable {
    var a: Int
    var b: Int
    var c: Int
    var label: String
}

struct TextShape: Codable, Hashable, Sendable {
    var content: String
    var fontSize: Int
    var bold: Bool
    var color: String?
}

/// The article's union, decoded as in the article.
enum Shape: Codable, Hashable, Sendable {
    case square(Square)
    case rectangle(Rectangle)
    case circle(Circle)
    case triangle(Triangle)
    case text(TextShape)

    enum Kind: String, Codable, CaseIterable, Sendable { case square, rectangle, circle, triangle, text }

    enum CodingKeys: String, CodingKey { case type, attributes }

    var kind: Kind {
        switch self {
        case .square: .square
        case .rectangle: .rectangle
        case .circle: .circle
        case .triangle: .triangle
        case .text: .text
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .square: self = .square(try container.decode(Square.self, forKey: .attributes))
        case .rectangle: self = .rectangle(try container.decode(Rectangle.self, forKey: .attributes))
        case .circle: self = .circle(try container.decode(Circle.self, forKey: .attributes))
        case .triangle: self = .triangle(try container.decode(Triangle.self, forKey: .attributes))
        case .text: self = .text(try container.decode(TextShape.self, forKey: .attributes))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .type)
        switch self {
        case .square(let square): try container.encode(square, forKey: .attributes)
        case .rectangle(let rectangle): try container.encode(rectangle, forKey: .attributes)
        case .circle(let circle): try container.encode(circle, forKey: .attributes)
        case .triangle(let triangle): try container.encode(triangle, forKey: .attributes)
        case .text(let text): try container.encode(text, forKey: .attributes)
        }
    }
}
