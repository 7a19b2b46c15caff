import Testing
import WharfJSON
import WharfRandom

@Suite struct KeyTests {
    @Test func keysInAnyOrderAreFound() throws {
        let fields = [("a", "1"), ("ab", "2"), ("abc", "3"), ("b", "4"), ("", "5")]
        for order in permutations(Array(fields.indices)) {
            let document = "{" + order.map { "\"\(fields[$0].0)\":\(fields[$0].1)" }.joined(separator: ",") + "}"
            #expect(try JSON.decode(Prefixes.self, from: document) == Prefixes(values: [1, 2, 3, 4, 5]), "\(document)")
        }
    }

    private func permutations(_ items: [Int]) -> [[Int]] {
        items.isEmpty ? [[]] : items.flatMap { item in permutations(items.filter { $0 != item }).map { [item] + $0 } }
    }

    @Test(arguments: [
        #"{"\u0061":1,"ab":2,"abc":3,"b":4,"":5}"#, #"{"\u0061\u0062\u0063":3,"\u0061b":2,"a":1,"":5,"\u0062":4}"#,
        #"{"x\n":0,"\u0062":4,"a\u0062":2,"\\":{"a":9},"":5,"\u0061bc":3,"\u0061":1,"\"":1}"#,
        #"{"a":1,"\u0061":9,"ab":2,"abc":3,"b":4,"\u0062":"x","":5,"":[]}"#,
    ])
    func escapedKeysMatchPlainOnes(_ document: String) throws {
        #expect(try JSON.decode(Prefixes.self, from: document) == Prefixes(values: [1, 2, 3, 4, 5]))
    }

    @Test(arguments: [
        "null", "1.5e3", "\"x\\n\\\"}\"", "[[],{\"a\":[1]}]", "{\"a\":{\"a\":9}}", "{}", "[]", "true", "\"\"",
    ])
    func unknownKeysWithAnyValueAreSkipped(_ value: String) throws {
        let document =
            #"{"zz":\#(value),"a":1,"ab":2,"aa":\#(value),"abcd":\#(value),"abc":3,"b":4,"":5,"z":\#(value)}"#
        #expect(try JSON.decode(Prefixes.self, from: document) == Prefixes(values: [1, 2, 3, 4, 5]))
        #expect(failure(Prefixes.self, #"{"zz":\#(value),"a":\#(value)"#).last?.code == .syntax)
    }

    @Test func firstRepeatedKeyWinsAndOthersAreSyntaxChecked() throws {
        #expect(
            try JSON.decode(Prefixes.self, from: #"{"a":1,"a":"x","ab":2,"a":3,"abc":3,"b":4,"":5,"":6}"#).values[0]
                == 1)
        #expect(failure(Prefixes.self, #"{"a":1,"a":01}"#).map(\.code) == [.syntax])
        // The first value is wrong. The second value of the same key does not replace it.
        #expect(failure(Prefixes.self, #"{"a":"x","a":1,"ab":2,"abc":3,"b":4,"":5}"#).map(\.code) == [.typeMismatch])
    }

    @Test func longKeysWithCommonPrefixAreDistinguished() throws {
        for number in LongKeys.keys.indices {
            let order = LongKeys.keys.indices.map { LongKeys.keys[($0 + number) % LongKeys.keys.count] }
            let members = order.map { "\"\($0)\":\($0.description.utf8.count)" } + ["\"\(LongKeys.keys[9])x\":0"]
            for document in [
                "{" + members.joined(separator: ",") + "}", "{" + members.reversed().joined(separator: " , ") + "}",
            ] {
                let read = try JSON.decode(LongKeys.self, from: document)
                #expect(read.values == LongKeys.keys.map { $0.description.utf8.count })
            }
        }
    }

    @Test func truncatedKeyIsNotReadBeyondTheDocument() {
        let longest = LongKeys.keys[LongKeys.keys.count - 1].description
        for length in 0...longest.utf8.count {
            #expect(
                failure(LongKeys.self, "{\"" + longest.utf8.prefix(length).map { String(UnicodeScalar($0)) }.joined())
                    .count == 1)
        }
        #expect(failure(LongKeys.self, "{\"\(longest)\"").map(\.location.offset) == [longest.utf8.count + 3])
    }

    @Test func objectWith128FieldsIsReadInAnyOrder() throws {
        var random = SeededGenerator(seed: 31)
        let order = Array(0..<128).shuffled(using: &random)
        for document in [Array(0..<128), Array((0..<128).reversed()), order] {
            let text = "{" + document.map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
            #expect(try JSON.decode(Wide.self, from: text).values == Array(0..<128))
        }
        let missing = failure(
            Wide.self, "{" + order.dropLast(3).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}")
        #expect(
            missing.map(\.path)
                == order.suffix(3).sorted().map { ["\(Wide.keys[$0])"].map(JSONPath.Step.key) }.map { JSONPath($0) })
        // The last field has a bit of its own.
        let repeated = #"{"k0":1,"k127":2,"k0":3,"k127":4}"#
        #expect(failure(Wide.self, repeated).count == 126)
    }
}

/// Keys that are prefixes of one another.
private struct Prefixes: JSONDecodable, Equatable {
    var values: [Int]

    static func decode(from json: inout JSONReader) -> Prefixes? {
        guard var fields = json.beginObject() else { return nil }
        var a: Int?
        var ab: Int?
        var abc: Int?
        var b: Int?
        var empty: Int?
        repeat {
            json.read("a", 0, into: &a, &fields)
            json.read("ab", 1, into: &ab, &fields)
            json.read("abc", 2, into: &abc, &fields)
            json.read("b", 3, into: &b, &fields)
            json.read("", 4, into: &empty, &fields)
        } while json.next(&fields)
        guard let a, let ab, let abc, let b, let empty else {
            return json.incomplete(fields, required: [(0, "a"), (1, "ab"), (2, "abc"), (3, "b"), (4, "")])
        }
        return Prefixes(values: [a, ab, abc, b, empty])
    }
}

private struct LongKeys: JSONDecodable {
    var values: [Int?]

    /// Lengths around each number of compared words, and beyond 32 and 64 bytes.
    static let keys: [StaticString] = [
        "abcde", "abcdef", "abcdefg", "abcdefghijklm", "abcdefghijklmn", "abcdefghijklmno",
        "abcdefghijklmnopqrstuvwxyz1234",
        "abcdefghijklmnopqrstuvwxyz12345", "abcdefghijklmnopqrstuvwxyz123456789",
        "abcdefghijklmnopqrstuvwxyz123456789abcdefghijklmnopqrstuvwxyz12",
        "abcdefghijklmnopqrstuvwxyz123456789abcdefghijklmnopqrstuvwxyz123456789",
        "abcdefghijklmnopqrstuvwxyz123456789abcdefghijklmnopqrstuvwxyz123456788",
    ]

    static func decode(from json: inout JSONReader) -> LongKeys? {
        guard var fields = json.beginObject() else { return nil }
        var values = [Int?](repeating: nil, count: keys.count)
        repeat {
            for (index, key) in keys.enumerated() { json.read(key, index, into: &values[index], &fields) }
        } while json.next(&fields)
        return LongKeys(values: values)
    }
}

private struct Wide: JSONDecodable {
    var values: [Int]

    // A StaticString can only be a literal.
    static let keys: [StaticString] = [
        "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "k11", "k12", "k13", "k14", "k15", "k16",
        "k17", "k18",
        "k19", "k20", "k21", "k22", "k23", "k24", "k25", "k26", "k27", "k28", "k29", "k30", "k31", "k32", "k33", "k34",
        "k35",
        "k36", "k37", "k38", "k39", "k40", "k41", "k42", "k43", "k44", "k45", "k46", "k47", "k48", "k49", "k50", "k51",
        "k52",
        "k53", "k54", "k55", "k56", "k57", "k58", "k59", "k60", "k61", "k62", "k63", "k64", "k65", "k66", "k67", "k68",
        "k69",
        "k70", "k71", "k72", "k73", "k74", "k75", "k76", "k77", "k78", "k79", "k80", "k81", "k82", "k83", "k84", "k85",
        "k86",
        "k87", "k88", "k89", "k90", "k91", "k92", "k93", "k94", "k95", "k96", "k97", "k98", "k99", "k100", "k101",
        "k102", "k103",
        "k104", "k105", "k106", "k107", "k108", "k109", "k110", "k111", "k112", "k113", "k114", "k115", "k116", "k117",
        "k118",
        "k119", "k120", "k121", "k122", "k123", "k124", "k125", "k126", "k127",
    ]

    static func decode(from json: inout JSONReader) -> Wide? {
        guard var fields = json.beginObject() else { return nil }
        var values = [Int?](repeating: nil, count: keys.count)
        repeat {
            for (index, key) in keys.enumerated() { json.read(key, index, into: &values[index], &fields) }
        } while json.next(&fields)
        guard !values.contains(nil) else {
            return json.incomplete(fields, required: keys.enumerated().map { ($0.offset, $0.element) })
        }
        return Wide(values: values.compactMap { $0 })
    }
}
