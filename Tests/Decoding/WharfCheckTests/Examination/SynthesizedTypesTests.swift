import Foundation
import Testing
import WharfCheck

/// Types with a synthesized `init(from:)`, which ends at its first error.
@Suite struct SynthesizedTypesTests {
    struct Post: Decodable {
        let title: String
        let tags: [Tag]
    }

    struct Tag: Decodable { let value: String }
    struct Request: Decodable { let posts: [Post] }

    let check = PayloadCheck(Request.self)

    @Test func aDocumentThatDecodesHasNoFindings() {
        #expect(check.texts(#"{"posts": [{"title": "a", "tags": [{"value": "b"}]}]}"#) == [])
    }

    @Test func bothMissingKeysOfAPostAreFound() {
        #expect(
            check.texts(#"{ "posts" : [ { } ] }"#) == [
                #"1:15: posts[0].title: expected a value for the key "title", found an object without it"#,
                #"1:15: posts[0].tags: expected a value for the key "tags", found an object without it"#,
            ])
    }

    @Test func everyErrorOfEveryElementIsFoundInTheOrderOfTheDocument() {
        let json = """
            {"posts": [
              {"title": 7, "tags": null},
              {"tags": [{"value": true}, 3, {}], "title": null},
              "x"
            ]}
            """
        #expect(
            check.texts(json) == [
                "2:13: posts[0].title: expected a string, found the number 7",
                "2:24: posts[0].tags: expected an array, found null",
                "3:23: posts[1].tags[0].value: expected a string, found true",
                "3:30: posts[1].tags[1]: expected an object, found the number 3",
                #"3:33: posts[1].tags[2].value: expected a value for the key "value", found an object without it"#,
                "3:47: posts[1].title: expected a string, found null",
                #"4:3: posts[2]: expected an object, found the string "x""#,
            ])
    }

    struct Scalars: Decodable {
        let int8: Int8
        let flag: Bool
        let ratio: Double
        let date: Date
        let url: URL
        let id: UUID
        let maybe: Int?
        let map: [String: Int]
        let unsigned: UInt
    }

    @Test func eachKindOfScalarSaysWhatItExpected() {
        let json = """
            {"int8": 300, "flag": 1, "ratio": "x", "date": "x", "url": "", "id": "x", "maybe": "x", "map": {"a": null},
             "unsigned": -1}
            """
        #expect(
            PayloadCheck(Scalars.self).texts(json) == [
                "1:10: int8: expected a whole number from -128 to 127 (Int8), found the number 300",
                "1:23: flag: expected true or false, found the number 1",
                #"1:35: ratio: expected a number, found the string "x""#,
                #"1:48: date: expected a number, found the string "x""#,
                #"1:60: url: expected a URL, found the string """#,
                #"1:70: id: expected another value (Attempted to decode UUID from invalid UUID string.), found the string "x""#,
                #"1:84: maybe: expected a whole number (Int), found the string "x""#,
                "1:102: map.a: expected a whole number (Int), found null",
                "2:14: unsigned: expected a whole number from 0 to 18446744073709551615 (UInt), found the number -1",
            ])
    }

    enum Kind: String, Decodable { case circle, square }
    enum Listed: String, Decodable, CaseIterable { case big, small }
    struct Shape: Decodable {
        let kind: Kind
        let listed: Listed
        let size: Int
    }

    @Test func unknownCaseHidesNothingIfAnotherCaseIsKnown() {
        let json =
            #"[{"kind": "hexagon", "listed": "huge", "size": "1"}, {"kind": "square", "listed": "big", "size": 1}]"#
        #expect(
            PayloadCheck([Shape].self).texts(json) == [
                #"1:11: [0].kind: expected a value of Kind, found the string "hexagon""#,
                #"1:32: [0].listed: expected one of "big", "small", found the string "huge""#,
                #"1:48: [0].size: expected a whole number (Int), found the string "1""#,
            ])
    }

    @Test func unknownCaseWithoutStandInSaysMoreMayBeHidden() {
        let json =
            #"[{"kind": "hexagon", "listed": "huge", "size": "1"}, {"kind": "circles", "listed": "x", "size": 1}]"#
        #expect(
            PayloadCheck([Shape].self).texts(json) == [
                #"1:11: [0].kind: expected a value of Kind, found the string "hexagon" | Shape"#,
                #"1:63: [1].kind: expected a value of Kind, found the string "circles" | Shape"#,
            ])
    }

    class Base: Decodable { let id: Int }
    final class Derived: Base {
        let name: String
        private enum Keys: CodingKey { case name }
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
            try super.init(from: decoder)
        }
    }

    @Test func classAndItsSuperclassAreBothExamined() {
        #expect(
            PayloadCheck(Derived.self).texts(#"{"id": "x", "name": 1}"#) == [
                #"1:8: id: expected a whole number (Int), found the string "x""#,
                "1:21: name: expected a string, found the number 1",
            ])
    }

    indirect enum Tree: Decodable {
        case leaf(Int)
        case node(left: Tree, right: Tree)
    }

    @Test func anEnumerationWithValuesIsExamined() {
        let json = #"{"node": {"left": {"leaf": {"_0": "x"}}, "right": {"leaf": {}}}}"#
        #expect(
            PayloadCheck(Tree.self).texts(json) == [
                #"1:35: node.left.leaf._0: expected a whole number (Int), found the string "x""#,
                #"1:60: node.right.leaf._0: expected a value for the key "_0", found an object without it"#,
            ])
    }

    @Test func thousandsOfErrorsAreAllFound() {
        let json = "{\"posts\": [" + Array(repeating: "{}", count: 2_000).joined(separator: ",") + "]}"
        #expect(check.findings(in: Array(json.utf8)).count == 4_000)
    }

    @Test func keysAreFoundAsTheStrategyNamesThem() {
        struct Snake: Decodable { let firstName: String, lastName: String }
        var decoder = CodableJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            PayloadCheck(Snake.self, decoder: decoder).texts(#"{"first_name": 1, "x_y": 2}"#, ignoredKeys: true) == [
                #"1:1: lastName: expected a value for the key "lastName", found an object without it"#,
                "1:16: first_name: expected a string, found the number 1",
                "1:19: x_y: no type reads this key",
            ])
    }
}
