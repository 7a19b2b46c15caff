import Foundation
import WharfRandom

struct Integers: Codable, Equatable {
    var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
    var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    init(_ random: inout SeededGenerator) {
        int = random.integer()
        int8 = random.integer()
        int16 = random.integer()
        int32 = random.integer()
        int64 = random.integer()
        uint = random.integer()
        uint8 = random.integer()
        uint16 = random.integer()
        uint32 = random.integer()
        uint64 = random.integer()
    }
}

struct Floats: Codable, Equatable {
    var double: Double, float: Float, flag: Bool, text: String
    init(_ random: inout SeededGenerator) {
        double = random.double()
        float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        if !float.isFinite || float.magnitude < .leastNormalMagnitude { float = 0.1 }
        flag = random.chance(2)
        text = random.text()
    }
}

struct WideIntegers: Codable, Equatable {
    var int128: Int128, uint128: UInt128
}

/// Equal even if both values are NaN.
struct Unordered: Codable, Equatable {
    var double: Double, float: Float, many: [Double]
    var maybe: Double?
    static func == (left: Self, right: Self) -> Bool { "\(left)" == "\(right)" }
}

struct Optionals: Codable, Equatable {
    var int: Int?
    var text: String?
    var flag: Bool?
    var double: Double?
    var inner: Point?
    var list: [Int?]
    var nested: [[String]?]
}

struct Point: Codable, Equatable, Hashable {
    var x: Double, y: Double
}

struct Nested: Codable, Equatable {
    struct Middle: Codable, Equatable {
        struct Inner: Codable, Equatable { var value: Int, label: String }
        var inner: Inner, others: [Inner]
    }
    var title: String, middle: Middle, points: [Point]
}

enum Suit: String, Codable, CaseIterable { case hearts, spades, clubs = "♣︎" }
enum Level: Int, Codable, CaseIterable { case low = 1, high = 300 }
struct RawValues: Codable, Equatable { var suit: Suit, level: Level, suits: [Suit] }

enum Choice: Codable, Equatable {
    case nothing
    case one(Int)
    case named(name: String, count: Int?)
    indirect case again(Choice)
}

/// Coded by hand, like the shapes of the article.
enum Figure: Codable, Equatable {
    case square(length: Double), circle(Point, radius: Double)
    enum CodingKeys: CodingKey { case type, attributes }
    enum SquareKeys: CodingKey { case length }
    enum CircleKeys: CodingKey { case center, radius }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "square":
            let inner = try container.nestedContainer(keyedBy: SquareKeys.self, forKey: .attributes)
            self = .square(length: try inner.decode(Double.self, forKey: .length))
        case "circle":
            let inner = try container.nestedContainer(keyedBy: CircleKeys.self, forKey: .attributes)
            self = .circle(
                try inner.decode(Point.self, forKey: .center), radius: try inner.decode(Double.self, forKey: .radius))
        case let other:
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "unknown \(other)")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .square(let length):
            var inner = container.nestedContainer(keyedBy: SquareKeys.self, forKey: .attributes)
            try container.encode("square", forKey: .type)
            try inner.encode(length, forKey: .length)
        case .circle(let center, let radius):
            try container.encode("circle", forKey: .type)
            var inner = container.nestedContainer(keyedBy: CircleKeys.self, forKey: .attributes)
            try inner.encode(radius, forKey: .radius)
            try inner.encode(center, forKey: .center)
        }
    }
}

struct Dictionaries: Codable, Equatable {
    enum Key: String, Codable, CodingKeyRepresentable { case first, second }
    var byText: [String: Int], byNumber: [Int: String], byKey: [Key: Bool], byPoint: [Point: Int],
        inner: [String: [String: Point]]
}

struct Sets: Codable, Equatable { var one: Set<Int>, text: Set<String> }

class Animal: Codable, Equatable {
    var name: String
    init(name: String) { self.name = name }
    static func == (left: Animal, right: Animal) -> Bool { left.name == right.name }
}

/// The superclass is coded under the key `super`.
final class Dog: Animal {
    enum CodingKeys: CodingKey { case tricks, bestFriend }
    var tricks: [String]
    init(name: String, tricks: [String]) {
        self.tricks = tricks
        super.init(name: name)
    }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tricks = try container.decode([String].self, forKey: .tricks)
        _ = try Animal(from: container.superDecoder(forKey: .bestFriend))
        try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try Animal(name: "friend of \(name)").encode(to: container.superEncoder(forKey: .bestFriend))
        try super.encode(to: container.superEncoder())
        try container.encode(tricks, forKey: .tricks)
    }
    static func == (left: Dog, right: Dog) -> Bool { left.name == right.name && left.tricks == right.tricks }
}

final class Tree: Codable, Equatable {
    let value: Int
    let children: [Tree]
    init(_ random: inout SeededGenerator, depth: Int) {
        value = random.below(1000)
        var children: [Tree] = []
        if depth > 0 { for _ in 0..<random.below(3) { children.append(Tree(&random, depth: depth - 1)) } }
        self.children = children
    }
    static func == (left: Tree, right: Tree) -> Bool { left.value == right.value && left.children == right.children }
}

struct Page<Item: Codable & Equatable>: Codable, Equatable { let items: [Item], next: String?, total: Int }

/// An array of mixed elements that are read in order. One level uses a nested container, another
/// one a super decoder.
struct Mixed: Codable, Equatable {
    var number: Int, text: String?, inner: [Bool], point: Point, name: String
    init(number: Int, text: String?, inner: [Bool], point: Point, name: String) {
        (self.number, self.text, self.inner, self.point, self.name) = (number, text, inner, point, name)
    }
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        number = try container.decode(Int.self)
        text = try container.decodeIfPresent(String.self)
        var nested = try container.nestedUnkeyedContainer()
        inner = []
        while !nested.isAtEnd { inner.append(try nested.decode(Bool.self)) }
        point = try Point(from: container.superDecoder())
        name = try container.nestedContainer(keyedBy: TextKey.self).decode(String.self, forKey: TextKey("full_name"))
        guard try container.decodeNil() else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "null at the end")
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(number)
        try container.encode(text)
        var nested = container.nestedUnkeyedContainer()
        try point.encode(to: container.superEncoder())
        var last = container.nestedContainer(keyedBy: TextKey.self)
        try container.encodeNil()
        for flag in inner { try nested.encode(flag) }
        try last.encode(name, forKey: TextKey("full_name"))
    }
}

struct FoundationValues: Codable, Equatable {
    var date: Date, data: Data, url: URL, uuid: UUID, decimal: Decimal, dates: [Date]
}
struct Amount: Codable, Equatable { let decimal: Decimal, maybe: Decimal?, url: URL?, data: Data? }

struct SnakeKeys: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case firstName, myURLProperty, isHTTP, x, innerValues, oneTwoThree
        case leading = "_leading"
        case trailing = "trailing_"
        case mixed = "a1B2"
    }
    var firstName: String, myURLProperty: Int, isHTTP: Bool, x: Int, innerValues: [String: Int], oneTwoThree: Point
    var leading: Int, trailing: Int, mixed: Int
}

/// Multiplies the decoded value by a number in `userInfo`.
struct Scaled: Codable, Equatable {
    var value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
        let factor = Strategies.userInfoKey.flatMap { decoder.userInfo[$0] as? Int } ?? 1
        value = try decoder.singleValueContainer().decode(Int32.self) == 0 ? 0 : factor
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// Asks its container for keys before it reads them.
struct Inspecting: Codable, Equatable {
    var keys: [String], hasB: Bool, isNil: Bool, both: Int
    enum CodingKeys: CodingKey, CaseIterable { case a, b, c }
    init(keys: [String], hasB: Bool, isNil: Bool, both: Int) {
        (self.keys, self.hasB, self.isNil, self.both) = (keys, hasB, isNil, both)
    }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keys = container.allKeys.map(\.stringValue).sorted()
        hasB = container.contains(.b)
        isNil = try container.decodeNil(forKey: .a)
        // The same object is opened a second time, and a key is read twice.
        both = try decoder.container(keyedBy: TextKey.self).decode(Int.self, forKey: TextKey("c"))
        guard try container.decode(Int.self, forKey: .c) == both else { throw CancellationError() }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(0, forKey: .c)
        if isNil { try container.encodeNil(forKey: .a) } else { try container.encode(keys, forKey: .a) }
        if hasB { try container.encode("b", forKey: .b) }
        try container.encode(both, forKey: .c)
    }
}
