import Testing
import WharfPrimitives

/// The grammar of RFC 9651 §4.2.2.
@Suite struct StructuredDictionaryTests {
    @Test(
        arguments: [
            ("a=1", ["a": .integer(1)]), ("a=-15, b", ["a": .integer(-15), "b": .boolean(true)]),
            ("  a=?0 \t,\t b=?1", ["a": .boolean(false), "b": .boolean(true)]),
            ("a=\"x, \\\"y\\\\\"", ["a": .string("x, \"y\\")]), ("a=tok/en:*", ["a": .token("tok/en:*")]),
            ("a=1.5", ["a": .other]), ("a=(1 \"b\");p=2", ["a": .other]), ("a=()", ["a": .other]),
            ("a=:aGk=:", ["a": .other]), ("a=@1659578233", ["a": .other]), ("a=%\"f%c3%bc\"", ["a": .other]),
            ("a;x=1;y, *b-_.1=2", ["a": .boolean(true), "*b-_.1": .integer(2)]),
            // The last value of a key counts.
            ("a=1, b=2, a=3", ["a": .integer(3), "b": .integer(2)]),
            ("a=999999999999999", ["a": .integer(999_999_999_999_999)]), ("", [:]), ("   ", [:]),
        ] as [(String, [String: StructuredDictionary.Value])])
    func validDictionaryHasItsMembers(text: String, members: [String: StructuredDictionary.Value]) throws {
        let dictionary = try #require(StructuredDictionary(text))
        #expect(Set(dictionary.keys) == Set(members.keys))
        for (key, value) in members { #expect(dictionary[key] == value) }
    }

    @Test(arguments: [
        "a=1,", "a=1, ", ",a", "a=1,,b", "A=1", "1a", "a =1", "a= 1", "a=", "a=1 b", "a=\"x", "a=\"\\x\"",
        "a=\"\u{7F}\"",
        "a=1.", "a=.5", "a=1.2345", "a=1000000000000000", "a=--1", "a=?2", "a=?", "a=(1", "a=(1,2)", "a=(1\"b\")",
        "a;=1",
        "a=:x", "a=@1.5", "a=%x", "a=%\"%C3\"", "a=%\"%c\"", "a=&", "max-age=10, &&&&&", "\ta=1", "ü=1",
    ])
    func invalidPartMakesTheWholeInvalid(text: String) {
        #expect(StructuredDictionary(text) == nil)
    }

    @Test func anyTextParsesOrFails() async throws {
        // Each octet in each place of a valid text, so that each branch sees each octet.
        let valid = Array("a=1, b=\"c\";d, e=(1 f);g=?1, h=:aa:, i=%\"%c3\"".utf8)
        for place in valid.indices {
            for octet in UInt8(0)...127 {
                var changed = valid
                changed[place] = octet
                let members = StructuredDictionary(String(decoding: changed, as: UTF8.self))
                if changed == valid { #expect(members?["h"] == .other) }
            }
        }
    }
}
