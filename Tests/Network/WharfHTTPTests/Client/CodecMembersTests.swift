import Testing
import WharfCore
import WharfHTTP
import WharfJSON
import WharfRandom

/// The members of a JSON object, each of which can be changed by itself.
@Suite struct CodecMembersTests {
    private struct Anything: Codable, Sendable {}

    private let members: CodecMembers

    init() throws { members = try #require(Codec<Anything>.json.members) }

    @Test func splitObjectJoinsToTheSameObject() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let value = JSONValue(
                .object(
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        JSONMember(Self.key(&random), Self.value(3, &random))
                    }))
            let bytes = try JSON.encode(value)
            let parts = try #require(members.split(bytes))
            let whole = members.join(parts)
            #expect(members.split(whole) == parts)
            let again = try JSON.decode(JSONValue.self, from: JSONBytes(whole))
            guard case .object(let before) = value.content, case .object(let after) = again.content else {
                return #expect(Bool(false), "expected an object")
            }
            #expect(before.map(\.key) == after.map(\.key))
        }
    }

    @Test func splitIgnoresTheOrderOfNestedKeys() {
        let one = members.split(Array(#"{"a":{"x":1,"y":[{"p":1,"q":2}]}}"#.utf8))
        let other = members.split(Array(#"{ "a" : {"y":[{"q":2, "p":1}], "x":1} }"#.utf8))
        #expect(one != nil && one == other)
    }

    @Test(arguments: ["[1]", "1", "null", "", "{", #"{"a":}"#])
    func nonObjectHasNoMembers(_ text: String) {
        #expect(members.split(Array(text.utf8)) == nil)
    }

    private static func key(_ random: inout SeededGenerator) -> String {
        ["a", "b", "é", "\"", "\\", "\u{0}", "a b", ""].randomElement(using: &random) ?? ""
    }

    private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: JSONValue(.null)
        case 1: JSONValue(.bool(Bool.random(using: &random)))
        case 2: JSONValue(.string(key(&random)))
        case 3: JSONValue(.string("\(Int.random(in: 0...99, using: &random))"))
        case 4: JSONValue(.array((0..<3).map { _ in value(depth - 1, &random) }))
        default: JSONValue(.object((0..<3).map { JSONMember("k\($0)", value(depth - 1, &random)) }))
        }
    }
}

/// Nested objects and arrays that are declared as parts.
@Suite struct JSONMergeableTests {
    private static func members(_ parts: JSONMergeable...) throws -> CodecMembers {
        try #require(Codec<[String: String]>.json(merging: parts).members)
    }

    private static func merged(_ members: CodecMembers, _ base: String, _ mine: String, _ theirs: String) -> String? {
        let (base, mine, theirs) = (Array(base.utf8), Array(mine.utf8), Array(theirs.utf8))
        let edit = Overlay(from: base, to: mine, schema: 1, members)
        guard edit.isIndependent(of: Overlay(from: base, to: theirs, schema: 1, members)) else { return nil }
        return edit.applied(to: (theirs, 1), members).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func namedObjectIsMergedByMemberAndOthersAsOneValue() throws {
        let (base, mine, theirs) = (
            #"{"a":{"x":1,"y":1}}"#, #"{"a":{"y":1,"x":2}}"#, #"{"a":{"x":1,"y":2},"b":1}"#
        )
        #expect(Self.merged(try Self.members(.members(of: "a")), base, mine, theirs) == #"{"a":{"x":2,"y":2},"b":1}"#)
        #expect(Self.merged(try Self.members(.members(of: "b")), base, mine, theirs) == nil)
    }

    @Test func objectsOnThePathAreMergedToo() throws {
        let members = try Self.members(.members(of: "a", "b"))
        let merged = Self.merged(
            members, #"{"a":{"b":{"x":1,"y":1},"c":1}}"#, #"{"a":{"b":{"x":2,"y":1},"c":1}}"#,
            #"{"a":{"b":{"x":1,"y":2},"c":2}}"#)
        #expect(merged == #"{"a":{"b":{"x":2,"y":2},"c":2}}"#)
    }

    @Test func elementsAreMergedByTheirIdentity() throws {
        let members = try Self.members(.elements(of: "list", by: "id"))
        let base = #"{"list":[{"id":1,"text":"a"},{"id":2,"text":"a"}]}"#
        let merged = Self.merged(
            members, base, #"{"list":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":3,"text":"a"}]}"#,
            #"{"list":[{"text":"a","id":2}]}"#)
        #expect(merged == #"{"list":[{"id":2,"text":"b"},{"id":3,"text":"a"}]}"#)
    }

    @Test(arguments: [
        #"{"list":[{"id":1},{"id":1}]}"#, #"{"list":[{"id":1},{}]}"#, #"{"list":[{"id":1},{"id":null}]}"#,
        #"{"list":[1]}"#, #"{"list":{"id":1}}"#,
        #"{"list":[{"id":1,"x":1,"x":2}]}"#,
    ])
    func anArrayWithoutIdentitiesIsOneValue(json: String) throws {
        let members = try Self.members(.elements(of: "list", by: "id"))
        let parts = try #require(members.split(Array(json.utf8)))
        guard case .value = parts[0].part else { return #expect(Bool(false), "\(parts)") }
        #expect(String(decoding: members.join(parts), as: UTF8.self) == json)
    }

    @Test func nestedArrayIsMergedByItsPathThroughTheOuterArray() throws {
        let members = try Self.members(.elements(of: "list", by: "id"), .elements(of: "list", "replies", by: "key"))
        let merged = Self.merged(
            members, #"{"list":[{"id":1,"replies":[]}]}"#, #"{"list":[{"id":1,"replies":[{"key":"a"}]}]}"#,
            #"{"list":[{"id":1,"replies":[{"key":"b"}]}]}"#)
        #expect(merged == #"{"list":[{"id":1,"replies":[{"key":"a"},{"key":"b"}]}]}"#)
    }
}
