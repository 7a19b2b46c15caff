import Testing
import WharfCheck

/// Types with a custom `init(from:)`: only an error that it throws is reported.
@Suite struct HandwrittenTypesTests {
    struct Number: Decodable {
        let value: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self.value = value
            } else {
                value = Int(try container.decode(String.self)) ?? 0
            }
        }
    }

    @Test func caughtErrorIsNotReported() {
        struct Row: Decodable { let a: Number, b: Int }
        #expect(
            PayloadCheck(Row.self).texts(#"{"a": "12", "b": null}"#) == [
                "1:18: b: expected a whole number (Int), found null"
            ])
        #expect(
            PayloadCheck(Row.self).texts(#"{"a": true, "b": null}"#) == [
                "1:7: a: expected a string, found true", "1:18: b: expected a whole number (Int), found null",
            ])
    }

    struct Lossy: Decodable {
        struct Anything: Decodable {}
        let values: [Int]
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            var values: [Int] = []
            while !container.isAtEnd {
                if let value = try? container.decode(Int.self) {
                    values.append(value)
                } else {
                    _ = try container.decode(Anything.self)
                }
            }
            self.values = values
        }
    }

    @Test func lossyArrayReportsNoErrors() {
        struct Row: Decodable { let list: Lossy, b: Int }
        #expect(
            PayloadCheck(Row.self).texts(#"{"list": [1, "x", {}, 2], "b": null}"#) == [
                "1:32: b: expected a whole number (Int), found null"
            ])
    }

    struct Positive: Decodable {
        struct Refusal: Error, CustomStringConvertible { let description = "it must be positive" }
        let value: Int
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
            guard value > 0 else { throw Refusal() }
        }
    }

    @Test func customErrorIsLocatedAtItsValueAndHidesNoSibling() {
        struct Row: Decodable { let a: Positive, b: Positive }
        #expect(
            PayloadCheck(Row.self).texts(#"{"a": -1, "b": 0}"#) == [
                "1:7: a: Positive refused it: it must be positive", "1:16: b: Positive refused it: it must be positive",
            ])
    }

    @Test func customErrorAboutStandInValueIsNotReported() {
        // 0 is the placeholder for the text, and the type would refuse it.
        struct Even: Decodable {
            let n: Int
            enum Keys: CodingKey { case n, m }
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: Keys.self)
                n = try keys.decode(Int.self, forKey: .n)
                if n == 0 { throw DecodingError.dataCorruptedError(forKey: .n, in: keys, debugDescription: "zero") }
                _ = try keys.decode(String.self, forKey: .m)
            }
        }
        #expect(
            PayloadCheck(Even.self).texts(#"{"n": "x"}"#) == [
                #"1:7: n: expected a whole number (Int), found the string "x" | Even"#
            ])
        #expect(
            PayloadCheck(Even.self).texts(#"{"n": 0}"#) == [
                #"1:7: n: expected another value (zero), found the number 0 | Even"#
            ])
    }

    enum Shape: Decodable {
        case circle(radius: Double), square(side: Double)
        enum Keys: CodingKey { case type, radius, side }
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Keys.self)
            switch try keys.decode(String.self, forKey: .type) {
            case "circle": self = .circle(radius: try keys.decode(Double.self, forKey: .radius))
            case "square": self = .square(side: try keys.decode(Double.self, forKey: .side))
            case let other:
                throw DecodingError.dataCorruptedError(
                    forKey: .type, in: keys, debugDescription: "Unknown shape \(other).")
            }
        }
    }

    @Test func eachElementOfAUnionIsExaminedByItsKind() {
        let json =
            #"[{"type": "circle"}, {"type": "square", "side": "1"}, {"type": "x"}, {}, {"type": "circle", "radius": 1}]"#
        #expect(
            PayloadCheck([Shape].self).texts(json) == [
                #"1:2: [0].radius: expected a value for the key "radius", found an object without it"#,
                #"1:49: [1].side: expected a number, found the string "1""#,
                #"1:64: [2].type: expected another value (Unknown shape x.), found the string "x" | Shape"#,
                #"1:70: [3].type: expected a value for the key "type", found an object without it | Shape"#,
            ])
    }

    struct Nested: Decodable {
        let street: String, city: String, first: Int, second: Int
        enum Keys: CodingKey { case address, pair }
        enum AddressKeys: CodingKey { case street, city }
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Keys.self)
            let address = try keys.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
            street = try address.decode(String.self, forKey: .street)
            city = try address.decode(String.self, forKey: .city)
            var pair = try keys.nestedUnkeyedContainer(forKey: .pair)
            first = try pair.decode(Int.self)
            second = try pair.decode(Int.self)
        }
    }

    @Test(arguments: [
        (
            #"{"address": {"street": 1}, "pair": [true]}"#,
            [
                #"1:13: address.city: expected a value for the key "city", found an object without it"#,
                "1:24: address.street: expected a string, found the number 1",
                "1:36: pair: expected an array of more than 1 elements, found an array",
                "1:37: pair[0]: expected a whole number (Int), found true",
            ]
        ),
        (
            #"{"address": [], "pair": 7}"#,
            [
                "1:13: address: expected an object, found an array",
                "1:25: pair: expected an array, found the number 7",
            ]
        ),
        (
            #"{}"#,
            [
                #"1:1: address: expected a value for the key "address", found an object without it"#,
                #"1:1: pair: expected a value for the key "pair", found an object without it"#,
            ]
        ),
    ])
    func nestedContainersAreExamined(_ json: String, _ expected: [String]) {
        #expect(PayloadCheck(Nested.self).texts(json) == expected)
    }

    @Test func keyRequiredOnlyForAStandInIsNotReported() {
        enum Kind: String, Decodable { case circle, square }
        struct Shape: Decodable {
            let size: Double
            enum Keys: CodingKey { case type, radius, side }
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: Keys.self)
                switch try keys.decode(Kind.self, forKey: .type) {
                case .circle: size = try keys.decode(Double.self, forKey: .radius)
                case .square: size = try keys.decode(Double.self, forKey: .side)
                }
            }
        }
        let json = #"[{"type": "circle", "radius": 1}, {"type": "sqare", "side": 2}, {"type": "square", "side": 2}]"#
        #expect(
            PayloadCheck([Shape].self).texts(json) == [
                #"1:44: [1].type: expected a value of Kind, found the string "sqare" | Shape"#
            ])
    }

    @Test(arguments: [#""yes""#, "1", "null"])
    func keysRequiredForAnotherFlagMayBeHidden(_ flag: String) {
        struct Page: Decodable {
            let image: Int?, text: String
            enum Keys: CodingKey { case hasImage, image, text }
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: Keys.self)
                image = try keys.decode(Bool.self, forKey: .hasImage) ? keys.decode(Int.self, forKey: .image) : nil
                text = try keys.decode(String.self, forKey: .text)
            }
        }
        let found = PayloadCheck(Page.self).texts(#"{"hasImage": \#(flag), "image": "x", "text": ""}"#)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(" | Page") == true)
    }

    @Test(arguments: [
        (#"{"type": 3, "url": "x"}"#, #"1:10: type: expected a string, found the number 3 | Media"#),
        (
            #"{"version": "4", "fullName": "x", "type": "text", "text": ""}"#,
            #"1:13: version: expected a whole number (Int), found the string "4" | Media"#
        ),
    ])
    func keysRequiredAfterOtherConstantsMayBeHidden(_ json: String, _ expected: String) {
        struct Media: Decodable {
            enum Keys: CodingKey { case type, url, text, version, name, fullName }
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: Keys.self)
                if let version = try keys.decodeIfPresent(Int.self, forKey: .version) {
                    _ = try keys.decode(String.self, forKey: version >= 4 ? .fullName : .name)
                }
                let type = try keys.decode(String.self, forKey: .type)
                _ = try keys.decode(String.self, forKey: type == "video" ? .url : .text)
            }
        }
        var check = PayloadCheck(Media.self)
        check.constants = ["video", "4"]
        #expect(check.texts(json) == [expected])
    }

    @Test func invalidOptionalHidesNothing() {
        enum Kind: String, Decodable { case circle }
        struct Shape: Decodable { let kind: Kind?, size: Int }
        #expect(
            PayloadCheck(Shape.self).texts(#"{"kind": "x", "size": "1"}"#) == [
                #"1:10: kind: expected a value of Kind, found the string "x""#,
                #"1:23: size: expected a whole number (Int), found the string "1""#,
            ])
    }

    /// The loops of these types end with each document. They must end with placeholder values too.
    struct Greedy: Decodable {
        let values: [Double], pair: [Int]
        enum Keys: CodingKey { case values, pair }
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Keys.self)
            var list = try keys.nestedUnkeyedContainer(forKey: .values)
            var values: [Double] = []
            while let value = try? list.decode(Double.self) { values.append(value) }
            self.values = values
            var elements = try keys.nestedUnkeyedContainer(forKey: .pair)
            var pair: [Int] = []
            while elements.currentIndex < 3 { pair.append(try elements.decode(Int.self)) }
            self.pair = pair
        }
    }

    @Test func endlesslyReadingTypeIsStopped() {
        #expect(PayloadCheck(Greedy.self).texts("{}").count == 2)
        #expect(
            PayloadCheck(Greedy.self).texts(#"{"values": [], "pair": [1, 2]}"#) == [
                "1:24: pair: expected an array of more than 2 elements, found an array"
            ])
    }

    @Test func thousandsOfErrorsInACustomLoopAreAllFound() {
        struct List: Decodable {
            let values: [Int]
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                var values: [Int] = []
                while !list.isAtEnd { values.append(try list.decode(Int.self)) }
                self.values = values
            }
        }
        let json = "[" + Array(repeating: "null", count: 2_000).joined(separator: ",") + "]"
        #expect(PayloadCheck(List.self).findings(in: Array(json.utf8)).count == 2_000)
    }
}
