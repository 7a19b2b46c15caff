import Testing
import WharfJSON

/// Behaviour that Foundation's coders lack, or do worse.
@Suite struct CodableContainerTests {
    struct Kept: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    @Test func decodersCanBeKeptAndUsedAfterTheCall() throws {
        let json = Array(#"{"a": [{"b": 1}, {"b": 2}]}"#.utf8)
        let kept = try CodableJSONDecoder().decode([String: [Kept]].self, from: json)
        let second = try #require(kept["a"]?.last?.decoder)
        #expect(try [String: Int](from: second) == ["b": 2])
        #expect(second.codingPath.map(\.stringValue) == ["a", "Index 1"])
        #expect(throws: DecodingError.self) { try [Int](from: second) }
    }

    @Test func decodedKeysKeepDocumentOrderAndEncodedOnesCallOrder() throws {
        struct Keys: Decodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            let keys: [String]
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
            }
        }
        struct Record: Encodable { let z = 1, a = "x", m = [true] }
        #expect(
            try CodableJSONDecoder().decode(Keys.self, from: Array(#"{"z":1,"a":2,"z":3,"m":4}"#.utf8)).keys == [
                "z", "a", "m",
            ])
        #expect(try text(Record()) == #"{"z":1,"a":"x","m":[true]}"#)
    }

    @Test(arguments: [1, 2, 40, 63, 64, 65, 200]) func firstOfRepeatedKeysWins(count: Int) throws {
        let fields = (0..<count).map { "\"key\($0)\": \($0)" } + (0..<count).map { "\"key\($0)\": -1" }
        let json = Array("{\(fields.joined(separator: ", "))}".utf8)
        struct Last: Decodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(_ text: String) { stringValue = text }
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            let values: [Int]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let count = container.allKeys.count
                values = try (0..<count).reversed().map { try container.decode(Int.self, forKey: Key("key\($0)")) }
            }
        }
        #expect(try CodableJSONDecoder().decode(Last.self, from: json).values == (0..<count).reversed())
        #expect(try CodableJSONDecoder().decode([String: Int].self, from: json).values.sorted() == Array(0..<count))
    }

    /// Nested objects, each with its own keys, some of which are repeated.
    @Test(arguments: [1, 15, 16, 17, 32, 33, 100]) func firstOfRepeatedKeysWinsAtEveryDepth(depth: Int) throws {
        struct Level: Decodable {
            // Decoded first. A search for the next keys that continued from here would find their
            // repetitions.
            let deeper: [Level]?
            let number: Int
            let flag: Bool?
        }
        func document(_ number: Int) -> String {
            let flag = number % 3 == 0 ? #", "flag": true, "flag": 0, "other": {"flag": 0}"# : ""
            guard number < depth else { return #"{"number": \#(number), "number": -1\#(flag)}"# }
            return #"{"number": \#(number), "deeper": [\#(document(number + 1))], "number": -1\#(flag)}"#
        }
        var level = try CodableJSONDecoder().decode(Level.self, from: Array(document(0).utf8))
        for number in 0...depth {
            #expect(level.number == number)
            #expect(level.flag == (number % 3 == 0 ? true : nil))
            guard let next = level.deeper?.first else { break }
            level = next
        }
        #expect(level.number == depth)
    }

    @Test func aKeyEncodedAgainReplacesTheValueBefore() throws {
        struct Twice: Encodable {
            enum CodingKeys: CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode([1, 2], forKey: .a)
                try container.encode(true, forKey: .b)
                try container.encode("new", forKey: .a)
            }
        }
        #expect(try text(Twice()) == #"{"a":"new","b":true}"#)
    }

    @Test func misuseOfContainersIsAnErrorAndDoesNotCrash() {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                var list = encoder.unkeyedContainer()
                try list.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try CodableJSONEncoder().encode([Both()]) }
    }

    @Test func jsonValuesAndUnknownElementsKeepTheirBytes() throws {
        let element = #"{ "type":"hexagon", "size" : 1.50e1, "name":"\u0041/" }"#
        let kept = try CodableJSONDecoder().decode([Figure].self, from: Array("[ \(element) ]".utf8))
        #expect(kept.map(\.element.json) == [Array(element.utf8)])
        #expect(try text(kept.map(\.element)) == "[\(element)]")
        let value = try CodableJSONDecoder().decode(
            [String: JSONValue].self, from: Array(#"{"a": [1.50, {"z": 1, "a": 2}]}"#.utf8))
        #expect(try text(value) == #"{"a":[1.50,{"z":1,"a":2}]}"#)
    }

    @Test(arguments: ["null", "true", "-1.50e0", #""""#, #""a\u0041é""#, "[ ]", #"{ "a" : [ "x" ] }"#])
    func everyKindOfJSONValueDecodesLikeTheDirectReader(_ json: String) throws {
        let value = try JSON.decode(JSONValue.self, from: json)
        #expect(try CodableJSONDecoder().decode(JSONValue.self, from: Array(json.utf8)) == value)
        #expect(try CodableJSONDecoder().decode([JSONValue].self, from: Array("[\(json) ,0]".utf8)) == [value, 0])
        #expect(
            try CodableJSONDecoder().decode([String: JSONValue].self, from: Array("{\"a\": \(json)}".utf8)) == [
                "a": value
            ])
    }

    @Test func missingKeyIsNullToSuperDecoder() throws {
        struct Heir: Decodable {
            let base: JSONValue
            let other: Int?
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: TextKey.self)
                base = try JSONValue(from: container.superDecoder())
                other = try Int?(from: container.superDecoder(forKey: TextKey("other")))
            }
        }
        let heir = try CodableJSONDecoder().decode([Heir].self, from: Array(#"[{"x": 1}]"#.utf8))[0]
        #expect(heir.base == nil as JSONValue)
        #expect(heir.other == nil)
    }

    @Test func keysAreFoundBySpellingAndByCanonicalEquivalence() throws {
        struct Accents: Decodable {
            enum CodingKeys: String, CodingKey { case cafe = "caf\u{E9}", plain, empty = "" }
            let cafe: Int, plain: Int, empty: Int
        }
        let json = "{\"cafe\u{301}\": 1, \"pl\\u0061in\": 2, \"\": 3}"
        let value = try CodableJSONDecoder().decode(Accents.self, from: Array(json.utf8))
        #expect((value.cafe, value.plain, value.empty) == (1, 2, 3))
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CodableJSONEncoder().encode(value), as: UTF8.self)
    }

    /// A union whose kinds are all unknown.
    struct Figure: Decodable, JSONPolymorphic {
        enum Kind: String, CaseIterable { case unknown }
        static var discriminator: StaticString { "type" }
        static var content: StaticString? { nil }
        let element: UnknownElement
        var kind: Kind { .unknown }

        init(from decoder: any Decoder) throws { element = try PolymorphicDecoder<Self>(decoder).unknown() }
        static func decode(_ kind: Kind, from json: inout JSONReader) -> Figure? { nil }
        func encodeContent(into json: inout JSONWriter) {}
    }
}
