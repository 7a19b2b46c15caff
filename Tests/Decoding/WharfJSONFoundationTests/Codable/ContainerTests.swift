import Foundation
import Testing
import WharfJSON

/// Manual calls of containers, and the encoding of unusual texts, compared with Foundation's
/// coders.
@Suite struct ContainerTests {
    private static let documents = [
        "[]", "[null]", "[null,null]", #"[{"x":1,"y":2},null]"#, #"[null,{"x":1,"y":2}]"#, "[1]",
        #"[[],null,"a",true,1]"#, "{}",
    ]

    @Test(arguments: documents, Elements.Step.allCases) func unkeyedElementsDecodeAsInFoundation(
        document: String, step: Elements.Step
    ) {
        Elements.$step.withValue(step) { compare(Elements.self, document) }
    }

    @Test(arguments: [
        "{}", #"{"a":null}"#, #"{"a":1}"#, #"{"a":null,"a":1}"#, #"{"":null,"b":1}"#, #"{"b":2,"":3,"a":{}}"#,
        #"{"é":null,"a":1,"":2}"#,
    ])
    func keyPresenceAgreesWithFoundation(document: String) { compare(Asked.self, document) }

    @Test(arguments: [Strategies.defaults, .snakeCase, .customKeys]) func dictionaryValuePathsAgreeWithFoundation(
        strategy: Strategies
    ) {
        for document in [#"{"7":true}"#, #"{"a_b":"x"}"#, #"{"-1":{}}"#, #"{"7":{"8":true}}"#] {
            compare([String: Int].self, document, strategy)
            compare([String: [String: Int]].self, document, strategy)
            compare([String: [Int]].self, document, strategy)
        }
    }

    @Test(arguments: [[.sortedKeys], [.sortedKeys, .withoutEscapingSlashes]] as [CodableJSONEncoder.OutputFormatting])
    func keySortingAndEscapingAgreeWithFoundation(formatting: CodableJSONEncoder.OutputFormatting) throws {
        let pieces =
            ["", "!", "\"", "#", "/", "\\", " ", "é", "e", "z", "A", "\u{7F}", "😀", "\u{FFFF}"]
            + (0..<0x20).compactMap { Unicode.Scalar($0).map { String($0) } }
        let keys = pieces.flatMap { ["a\($0)", "\($0)a", "a\($0)\($0)", "12345678\($0)12345678"] }
        let value = Dictionary(keys.map { ($0, $0) }) { $1 }
        let theirs = try Strategies.defaults.makeFoundationEncoder(formatting).encode(value)
        let ours: [UInt8] = try Strategies.defaults.makeEncoder(formatting).encode(value)
        #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
    }

    private func compare<Value: Decodable & Equatable>(
        _ type: Value.Type, _ document: String, _ strategy: Strategies = .defaults
    ) {
        let theirs = Outcome { try strategy.makeFoundationDecoder().decode(type, from: Data(document.utf8)) }
        #expect(Outcome { try strategy.makeDecoder().decode(type, from: Array(document.utf8)) } == theirs)
    }

    /// Takes three steps through an array.
    struct Elements: Decodable, Equatable {
        enum Step: CaseIterable, Sendable {
            case value, scalar, optional, optionalScalar, null, object, array, base
        }
        @TaskLocal static var step = Step.value
        var seen: [String] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            seen.append("\(container.count ?? -1)")
            for _ in 0..<3 {
                seen.append(try take(&container))
                // Some of Foundation's methods continue to count after the end.
                seen.append(container.isAtEnd ? "end" : "\(container.currentIndex)")
            }
        }

        private func take(_ container: inout any UnkeyedDecodingContainer) throws -> String {
            switch Self.step {
            case .value: "\(try container.decode(Point?.self) as Any)"
            case .scalar: "\(try container.decode(Int.self))"
            case .optional: "\(try container.decodeIfPresent(Point.self) as Any)"
            case .optionalScalar: "\(try container.decodeIfPresent(Int.self) as Any)"
            case .null: "\(try container.decodeNil())"
            case .object: "\(try container.nestedContainer(keyedBy: TextKey.self).allKeys.count)"
            case .array: "\(try container.nestedUnkeyedContainer().count ?? -1)"
            case .base: "\(try container.superDecoder().singleValueContainer().decodeNil())"
            }
        }
    }

    private struct Asked: Decodable, Equatable {
        var answers: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            for key in ["a", "", "b", "a", "é", "c"] {
                let isThere = container.contains(TextKey(key))
                answers.append("\(isThere)")
                if isThere { answers.append("\(try container.decodeNil(forKey: TextKey(key)))") }
                answers.append("\((try? container.decodeIfPresent(Int.self, forKey: TextKey(key))) as Any)")
            }
        }
    }
}
