import Foundation
import Testing
import WharfCheck
import WharfFaults

/// Valid documents with a few random changes, checked with types of every kind. The reported errors
/// are those that decoding throws.
@Suite struct MutatedDocumentsTests {
    static let good = """
        {"id": 7, "name": "Ann", "when": "2026-11-21T05:44:31Z", "kind": "big", "site": "https://example.com/a",
         "tags": [{"value": "x", "weight": 1.5}, {"value": "y", "weight": null}],
         "shapes": [{"type": "circle", "radius": 1}, {"type": "square", "side": 2}, {"type": "circle", "radius": 3}],
         "map": {"a": [1, 2], "b": []}, "pair": ["p", 9], "loose": "12", "lossy": [1, "x", 2], "parent": {"id": 1, "deep": [[1], [2, 3]]},
         "inline": {"circle": {"radius": 2}}}
        """

    struct Document: Decodable {
        enum Kind: String, Decodable { case big, small }
        struct Tag: Decodable { let value: String, weight: Double? }
        class Parent: Decodable { let id: UInt8 }
        final class Child: Parent {
            let deep: [[Int]]
            enum Keys: CodingKey { case deep }
            required init(from decoder: any Decoder) throws {
                deep = try decoder.container(keyedBy: Keys.self).decode([[Int]].self, forKey: .deep)
                try super.init(from: decoder)
            }
        }
        struct Pair: Decodable {
            let first: String, second: Int
            init(from decoder: any Decoder) throws {
                var elements = try decoder.unkeyedContainer()
                first = try elements.decode(String.self)
                second = try elements.decode(Int.self)
            }
        }
        enum Inline: Decodable { case circle(radius: Double), none }

        let id: Int, name: String, when: Date, kind: Kind, site: URL, tags: [Tag]
        let shapes: [HandwrittenTypesTests.Shape], map: [String: [Int]], pair: Pair
        let loose: HandwrittenTypesTests.Number, lossy: HandwrittenTypesTests.Lossy, parent: Child, inline: Inline?
    }

    /// Replaces a part of the text by another value, or a key by another one.
    private static func mutated(_ random: inout SeededGenerator) -> String {
        var text = good
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let starts = text.indices.filter {
                text[$0].isNumber || text[$0] == "\"" || text[$0] == "[" || text[$0] == "{"
            }
            guard let start = starts.randomElement(using: &random) else { continue }
            let end = end(of: start, in: text)
            let others = [
                "null", "true", "7", "-1.5", "1e400", "\"q\"", "\"\"", "[]", "{}", "[[]]", "{\"a\": 1}", "300",
            ]
            let isKey = text[end...].drop { $0 == " " }.first == ":"
            text.replaceSubrange(start..<end, with: isKey ? "\"zz\"" : others.randomElement(using: &random) ?? "0")
        }
        return text
    }

    private static func end(of start: String.Index, in text: String) -> String.Index {
        var (index, depth, isInString) = (start, 0, false)
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if character == "\"" { isInString.toggle() }
            if !isInString, character == "[" || character == "{" { depth += 1 }
            if !isInString, character == "]" || character == "}" { depth -= 1 }
            let goesOn = index < text.endIndex && (text[index].isNumber || text[index] == ".")
            if !isInString, depth == 0, !(character.isNumber && goesOn), character != "-" { break }
        }
        return index
    }

    @Test(arguments: 0..<60)
    func thrownDecodingErrorIsAmongTheFindings(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var decoder = CodableJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let check = PayloadCheck(Document.self, decoder: decoder)
        for _ in 0..<10 {
            let json = Self.mutated(&random)
            let findings = check.findings(in: Array(json.utf8))
            do {
                _ = try decoder.decode(Document.self, from: Array(json.utf8))
                #expect(findings.isEmpty, "\(json)")
            } catch {
                let thrown = try #require(JSONError(behind: error), "\(error)")
                #expect(
                    findings.contains { $0.location == thrown.location && $0.path == thrown.path },
                    "expected \(thrown.message) among \(findings.map { "\($0.location): \($0.path): \($0.message)" }) of \(json)"
                )
                #expect(Set(findings).count == findings.count)
            }
        }
    }
}
