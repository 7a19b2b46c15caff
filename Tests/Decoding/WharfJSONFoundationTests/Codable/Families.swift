import Foundation
import WharfRandom

extension Family {
    static let all: [Family] = [
        Family("integers of every width") { Integers(&$0) },
        Family("128-bit integers") { WideIntegers(int128: $0.integer(), uint128: $0.integer()) },
        Family("floats, flags and texts") { Floats(&$0) },
        Family("infinite numbers and NaN", [.defaults, .textFloats]) { random in
            let odd: [Double] = [.nan, .infinity, -.infinity, 1.5]
            return Unordered(
                double: random.pick(odd), float: Float(random.pick(odd)), many: [random.pick(odd)],
                maybe: random.pick(odd))
        },
        Family("optionals") { random in
            Optionals(
                int: random.optional { $0.integer() }, text: random.optional { $0.text() },
                flag: random.optional { $0.chance(2) },
                double: random.optional { $0.double() }, inner: random.optional { Point(x: $0.double(), y: 1) },
                list: random.array { $0.optional { $0.below(9) } },
                nested: random.array { $0.optional { $0.array { $0.text() } } })
        },
        Family("nested structures") { random in
            func inner(_ random: inout SeededGenerator) -> Nested.Middle.Inner {
                .init(value: random.integer(), label: random.text())
            }
            return Nested(
                title: random.text(), middle: .init(inner: inner(&random), others: random.array(inner)),
                points: random.array { Point(x: $0.double(), y: $0.double()) })
        },
        Family("enumerations with raw values") {
            RawValues(
                suit: $0.pick(Suit.allCases), level: $0.pick(Level.allCases), suits: $0.array { $0.pick(Suit.allCases) }
            )
        },
        Family("enumerations with associated values") { random in
            random.pick([
                .nothing, .one(random.integer()), .named(name: random.text(), count: nil),
                .again(.named(name: "a", count: 1)),
            ])
                as Choice
        },
        Family("unions written by hand, nested containers") { random in
            random.chance(2)
                ? .square(length: random.double())
                : Figure.circle(Point(x: 1, y: random.double()), radius: random.double())
        },
        Family("arrays of scalars") { $0.array { $0.integer(Int16.self) } },
        Family("arrays of texts") { $0.array { $0.text() } },
        Family("arrays of doubles") { $0.array { $0.double() } },
        Family("arrays in arrays") { $0.array { $0.array { $0.array { $0.chance(2) } } } },
        Family("dictionaries by kind of key") { random in
            Dictionaries(
                byText: [random.text(): 1, "two_words": 2], byNumber: [random.below(99): random.text()],
                byKey: random.chance(2) ? [.first: true] : [:], byPoint: [Point(x: 1, y: 2): 3],
                inner: ["an_outer key": [random.text(): Point(x: 0, y: 1)]])
        },
        Family("dictionaries at the top") { [$0.text(): $0.double()] },
        Family("sets") { Sets(one: $0.chance(3) ? [] : [$0.integer()], text: [$0.text()]) },
        Family("classes that inherit") { random in Dog(name: random.text(), tricks: random.array { $0.text() }) },
        Family("a subclass by the type of its superclass", as: Truck.self as Vehicle.Type) {
            Truck(name: $0.text(), load: $0.below(9))
        },
        Family("elements of a subclass by the type of their superclass") { random in
            Convoy(vehicles: random.array { Truck(name: $0.text(), load: $0.integer()) })
        },
        Family("recursive classes") { Tree(&$0, depth: 4) },
        Family("generic structures") { random in
            Page(
                items: random.array { Page(items: [$0.integer(Int.self)], next: nil, total: 1) }, next: random.text(),
                total: 2)
        },
        Family("mixed arrays, super coders, containers used out of order") { random in
            Mixed(
                number: random.below(9), text: random.optional { $0.text() }, inner: random.array { $0.chance(2) },
                point: Point(x: 0.5, y: random.double()), name: random.text())
        },
        Family("dates, data, URLs, UUIDs, decimals", Strategies.dates, values: 16) { random in
            let date = Date(timeIntervalSinceReferenceDate: Double(random.below(2_000_000_000)))
            return FoundationValues(
                date: date, data: Data((0..<random.below(6)).map { UInt8($0 * 40) }),
                url: URL(filePath: "/a b/\(random.below(9))"),
                uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                decimal: Decimal(random.below(100_000)) / 100, dates: random.chance(2) ? [date] : [])
        },
        Family("decimals exactly", values: 24) { random in
            let texts = ["0", "0.1", "-12345678901234567890.123456789", "1e50", "3.14159265358979323846", "-0.000001"]
            return Amount(
                decimal: Decimal(string: random.pick(texts)) ?? 1, maybe: random.optional { Decimal($0.below(10)) },
                url: random.optional { URL(filePath: $0.text()) },
                data: random.optional { Data([UInt8($0.below(256))]) })
        },
        Family("dates at the top", Strategies.dates) {
            Date(timeIntervalSinceReferenceDate: Double($0.below(1_000_000)))
        },
        Family("URLs at the top") { URL(filePath: "/\($0.below(9))?") },
        Family("text at the top") { $0.text() },
        Family("numbers at the top") { $0.double() },
        Family("integers at the top") { $0.integer(Int64.self) },
        Family("nothing at the top") { $0.optional { $0.chance(2) } },
        Family("keys in snake case", values: 24) { random in
            SnakeKeys(
                firstName: random.text(), myURLProperty: 1, isHTTP: true, x: 6,
                innerValues: ["aB": 1, "a_b": random.below(3)],
                oneTwoThree: Point(x: 1, y: 2), leading: 2, trailing: 3, mixed: 4)
        },
        Family("keys of all kinds", values: 30) { random in
            let words = ["a", "B", "url", "ID", "_", "__", "1", "é", "'", ".", "İ", "ß", "ǆ", "x_y", "Ab"]
            let key = (0..<1 + random.below(6)).map { _ in random.pick(words) }.joined()
            return AnyKeys(values: [key: random.below(9)])
        },
        Family("types that use userInfo") { Scaled(value: 3 * $0.below(2)) },
        Family("types that inspect their container") { random in
            let (hasB, isNil) = (random.chance(2), random.chance(2))
            return Inspecting(
                keys: hasB ? ["a", "b", "c"] : ["a", "c"], hasB: hasB, isNil: isNil, both: random.below(9))
        },
    ]
}

/// A type whose keys are known only at run time.
struct AnyKeys: Codable, Equatable {
    var values: [String: Int]
    init(values: [String: Int]) { self.values = values }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TextKey.self)
        values = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        for (key, value) in values { try container.encode(value, forKey: TextKey(key)) }
    }
}
