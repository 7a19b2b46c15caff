import Testing
import WharfCore
import WharfHTTP
import WharfJSON
import WharfRandom

/// How a JSON object falls into its members, to be changed one by one.
@Suite struct CodecMembersTests {
    private struct Anything: Codable, Sendable {}

    private let members: CodecMembers

    init() throws { members = try #require(Codec<Anything>.json.members) }

    @Test func anObjectIsTheSameWhenItWasTakenApartAndPutTogether() throws {
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

    @Test func theOrderOfKeysInsideMakesNoDifference() {
        let one = members.split(Array(#"{"a":{"x":1,"y":[{"p":1,"q":2}]}}"#.utf8))
        let other = members.split(Array(#"{ "a" : {"y":[{"q":2, "p":1}], "x":1} }"#.utf8))
        #expect(one != nil && one == other)
    }

    @Test(arguments: ["[1]", "1", "null", "", "{", #"{"a":}"#])
    func whatIsNoObjectHasNoMembers(_ text: String) {
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
