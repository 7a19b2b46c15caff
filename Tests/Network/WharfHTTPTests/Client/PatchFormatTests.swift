import Testing
import WharfCore
import WharfJSON
import WharfJSONFakes
import WharfRandom

@testable import WharfHTTP

/// The patches that PATCH sends, applied by the algorithms of the two RFCs.
@Suite struct PatchFormatTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSON.decode(JSONValue.self, from: JSONBytes(Array(text.utf8)))
    }

    private static func difference(
        _ format: PatchFormat, _ base: String?, _ changed: String, testsBase: Bool = false
    ) throws -> String {
        try format.difference(from: base.map(value), to: value(changed), testsBase: testsBase).description
    }

    /// The rows of RFC 7396, appendix A, whose patch is the shortest one.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c","a":"b"}"#, #"{"b":"c"}"#),
        (#"{"a":"b"}"#, "{}", #"{"a":null}"#), (#"{"a":"b","b":"c"}"#, #"{"b":"c"}"#, #"{"a":null}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d"}}"#, #"{"a":{"b":"d"}}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"foo"}"#, "null", "null"), (#"{"e":null}"#, #"{"e":null,"a":1}"#, #"{"a":1}"#),
    ])
    func mergePatchesAreThoseOfTheRFC(base: String, changed: String, patch: String) throws {
        #expect(try Self.difference(.mergePatch, base, changed) == patch)
    }

    @Test(arguments: PatchFormat.all)
    func anOrderOfKeysIsNoDifference(format: PatchFormat) throws {
        let nothing = format == .mergePatch ? "{}" : "[]"
        #expect(try Self.difference(format, #"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2,"b":1}}"#) == nothing)
    }

    @Test func aPatchTestsTheOldValuesOfItsMembers() throws {
        let patch = try Self.difference(
            .jsonPatch, #"{"a~/b":1,"gone":{"x":1},"n":null,"o":{"x":1,"y":2}}"#,
            #"{"a~/b":2,"n":1,"o":{"x":1,"y":3},"new":[]}"#, testsBase: true)
        #expect(
            patch == """
                [{"op":"test","path":"/a~0~1b","value":1},{"op":"add","path":"/a~0~1b","value":2},\
                {"op":"add","path":"/n","value":1},{"op":"add","path":"/new","value":[]},\
                {"op":"test","path":"/o/x","value":1},{"op":"test","path":"/o/y","value":2},\
                {"op":"add","path":"/o/y","value":3},\
                {"op":"test","path":"/gone","value":{"x":1}},{"op":"remove","path":"/gone"}]
                """)
        #expect(
            try Self.difference(.jsonPatch, "1", "2", testsBase: true)
                == #"[{"op":"test","path":"","value":1},{"op":"replace","path":"","value":2}]"#)
    }

    @Test func withoutABaseAllMembersAreSent() throws {
        #expect(try Self.difference(.mergePatch, nil, #"{"a":1}"#) == #"{"a":1}"#)
        #expect(try Self.difference(.jsonPatch, nil, #"{"a":1}"#) == #"[{"op":"add","path":"/a","value":1}]"#)
    }

    @Test func appliedMergePatchYieldsTheChangedValue() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            let (base, changed) = (Self.object(3, &random), Self.object(3, &random))
            let patch = PatchFormat.mergePatch.difference(from: base, to: changed, testsBase: false)
            #expect(base.applying(mergePatch: patch).withoutNulls == changed.withoutNulls)
        }
    }

    @Test(arguments: [true, false])
    func appliedJSONPatchYieldsTheChangedValue(testsBase: Bool) throws {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<3000 {
            let (base, changed) = (Self.object(3, &random), Self.object(3, &random))
            let patch = PatchFormat.jsonPatch.difference(from: base, to: changed, testsBase: testsBase)
            let made = try #require(base.applying(jsonPatch: patch) { $0.inOrder == $1.inOrder })
            #expect(made.withoutNulls == changed.withoutNulls)
        }
    }

    /// If another client has changed a member, only the edit of that member fails.
    @Test func jsonPatchFailsIfItsMemberChangedMeanwhile() throws {
        let base = try Self.value(#"{"a":1,"b":1}"#)
        let patch = try PatchFormat.jsonPatch.difference(
            from: base, to: Self.value(#"{"a":2,"b":1}"#), testsBase: true)
        let refused = try Self.value(#"{"a":3,"b":1}"#).applying(jsonPatch: patch)
        #expect(refused?.description == nil)
        let merged = try #require(try Self.value(#"{"a":1,"b":3}"#).applying(jsonPatch: patch))
        #expect(merged.description == #"{"a":2,"b":3}"#)
    }

    private static func object(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let names = ["a", "b", "~", "/", "c d"].shuffled(using: &random)
        let count = Int.random(in: 0...4, using: &random)
        return JSONValue(.object(names.prefix(count).map { JSONMember($0, value(depth - 1, &random)) }))
    }

    private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: JSONValue(.null)
        case 1: JSONValue(.bool(Bool.random(using: &random)))
        case 2: JSONValue(.string("\(Int.random(in: 0...2, using: &random))"))
        case 3: JSONValue(.array([]))
        case 4: JSONValue(.array([object(depth - 1, &random)]))
        default: object(depth - 1, &random)
        }
    }
}

extension PatchFormat {
    fileprivate static let all: [PatchFormat] = [.mergePatch, .jsonPatch]
}

extension JSONValue {
    /// The value without null members, which a merge patch can't distinguish from missing ones. The
    /// keys are sorted.
    fileprivate var withoutNulls: JSONValue {
        switch content {
        case .object(let members):
            JSONValue(
                .object(
                    members.compactMap { member in
                        if case .null = member.value.content { return nil }
                        return JSONMember(member.key, member.value.withoutNulls)
                    }.sorted { $0.key < $1.key }))
        // Nulls inside an array are sent unchanged.
        default: inOrder
        }
    }
}
