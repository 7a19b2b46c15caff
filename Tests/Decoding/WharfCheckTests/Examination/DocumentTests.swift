import Foundation
import Testing
import WharfCheck

@Suite struct DocumentTests {
    struct Row: Decodable { let a: Int }

    @Test func invalidJSONIsOneErrorWithItsLocation() {
        #expect(PayloadCheck(Row.self).texts("{\"a\": \n }") == ["2:2: a: expected a value, found '}'"])
        #expect(PayloadCheck(Row.self).texts("").count == 1)
    }

    @Test func trailingCommaIsAnErrorOnlyIfStrict() {
        let json = "{\"a\": \"x\",}"
        let wrong = #"1:7: a: expected a whole number (Int), found the string "x""#
        #expect(PayloadCheck(Row.self).texts(json) == [wrong])
        #expect(
            PayloadCheck(Row.self).texts(json, strict: true) == [
                wrong, "1:10: expected a value after the comma, found none",
            ])
        #expect(PayloadCheck([Row].self).texts("[{\"a\": 1},]") == [])
        #expect(PayloadCheck([Row].self).texts("[,]").count == 1)
    }

    @Test(arguments: [
        #"{"a": 1, "b": "\q"}"#, #"{"a": 1, "b": "\ud800"}"#, #"{"a": 1, "b": 01}"#, #"{"a": 1, "b": [1,],}"#,
    ])
    func lenientSyntaxIsAnErrorIfStrictOrWithAnotherDecoder(_ json: String) {
        #expect((try? JSONDecoder().decode(Row.self, from: Data(json.utf8))) != nil)
        #expect(PayloadCheck(Row.self).texts(json) == [])
        #expect(PayloadCheck(Row.self).texts(json, strict: true).count >= 1)
        #expect(PayloadCheck(Row.self, decoder: CodableJSONDecoder()).texts(json).count == 1)
    }

    @Test func aDocumentInUTF16IsReadAsFoundationReadsIt() throws {
        let bytes = try #require(#"{"a": 1}"#.data(using: .utf16))
        #expect(PayloadCheck(Row.self).findings(in: Array(bytes)) == [])
    }

    @Test func trailingCommaHidesNoOtherSyntaxError() {
        let found = PayloadCheck(Row.self).texts(#"{"a": [1,], "b": tru}"#)
        #expect(found == ["1:18: b: expected a value, found tru"])
    }

    @Test func firstErrorAloneReportsThatMoreMayBeHidden() {
        struct Pair: Decodable { let a: Int, b: String }
        let options = CheckOptions(findsEveryError: false)
        let found = PayloadCheck(Pair.self).findings(in: Array(#"{"a": null, "b": 1}"#.utf8), options: options)
        #expect(found.map(\.message) == ["expected a whole number (Int), found null"])
        #expect(found.map(\.hides) == ["Pair"])
    }

    @Test func decoderThatAllowsJSON5AcceptsIt() {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(PayloadCheck(Row.self, decoder: decoder).texts("{a: 1}") == [])
        #expect(PayloadCheck(Row.self, decoder: decoder).texts("{a: 'x'}").count == 1)
    }

    @Test func unreachedKeysAreNotReportedAsIgnored() {
        struct Shape: Decodable {
            enum Kind: String, Decodable { case circle, square }
            let kind: Kind, size: Int
        }
        #expect(
            PayloadCheck([Shape].self).texts(#"[{"kind": "hexagon", "size": 1, "x": 2}]"#, ignoredKeys: true) == [
                #"1:11: [0].kind: expected a value of Kind, found the string "hexagon" | Shape"#
            ])
    }

    @Test func duplicateKeyIsAnErrorOnlyIfStrict() {
        let json = #"{"a": 1, "b": {"c": 1, "c": 2}, "a": 2}"#
        #expect(PayloadCheck(Row.self).texts(json) == [])
        #expect(PayloadCheck(Row.self).texts(json, strict: true).count == 2)
    }

    @Test func keysThatNoTypeReadsAreListedOnRequest() {
        struct Post: Decodable { let row: Row, map: [String: Int], rows: [Row]? }
        let json = #"{"row": {"a": 1, "b": {"c": 2}}, "map": {"x": 1}, "rows": [{"a": 1}, {"a": 2, "z": 0}], "y": 0}"#
        #expect(PayloadCheck(Post.self).texts(json) == [])
        #expect(
            PayloadCheck(Post.self).texts(json, ignoredKeys: true) == [
                "1:18: row.b: no type reads this key", "1:79: rows[1].z: no type reads this key",
                "1:89: y: no type reads this key",
            ])
    }

    @Test func brokenRuleIsReportedAtTheLocationItNames() {
        struct Posts: Decodable { let posts: [Row] }
        let rules: [Rule<Posts>] = [
            Rule("at most one post") { $0.posts.count <= 1 },
            Rule("positive") { value, report in
                for (index, post) in value.posts.enumerated() where post.a <= 0 {
                    report("a is \(post.a)", at: ["posts", .index(index), "a"])
                }
            },
        ]
        let check = PayloadCheck(Posts.self, rules: rules)
        #expect(check.texts(#"{"posts": [{"a": 1}]}"#) == [])
        #expect(
            check.texts(#"{"posts": [{"a": 1}, {"a": -1}]}"#) == [
                "1:1: at most one post", "1:28: posts[1].a: positive: a is -1",
            ])
        #expect(check.texts(#"{"posts": [{"a": true}, {"a": -1}]}"#).count == 1)
    }

    struct Direct: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Direct? {
            guard var fields = json.beginObject() else { return nil }
            var a: Int?
            var b: String?
            repeat {
                json.read("a", 0, into: &a, &fields)
                json.read("b", 1, into: &b, &fields)
            } while json.next(&fields)
            guard a != nil, b != nil else { return json.incomplete(fields, required: [(0, "a"), (1, "b")]) }
            return Direct()
        }
    }

    @Test func aDirectTypeNotesAllOfItsErrors() {
        #expect(
            PayloadCheck([Direct].self).texts(#"[{"a": 1, "b": "", "c": 0}, {"a": ""}]"#, ignoredKeys: true) == [
                "1:20: [0].c: no type reads this key",
                #"1:29: [1].b: expected a value for the key "b", found an object without it"#,
                #"1:35: [1].a: expected a whole number (Int), found the string """#,
            ])
    }
}
