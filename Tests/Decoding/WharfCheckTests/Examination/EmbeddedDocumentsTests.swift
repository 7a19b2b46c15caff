import Foundation
import Testing
import WharfCheck

/// Types that decode another document in their `init(from:)`. Its errors have no location in the
/// checked document.
@Suite struct EmbeddedDocumentsTests {
    enum Reader: String, CaseIterable, Sendable {
        case foundation, codable

        func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
            switch self {
            case .foundation: try JSONDecoder().decode(type, from: Data(text.utf8))
            case .codable: try CodableJSONDecoder().decode(type, from: Array(text.utf8))
            }
        }
    }

    static let key = CodingUserInfoKey(rawValue: "reader").unsafelyUnwrapped

    struct Inner: Decodable {
        let id: Int, tags: [String]
    }

    struct Embedded: Decodable {
        let inner: Inner
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            let reader = decoder.userInfo[EmbeddedDocumentsTests.key] as? Reader ?? .foundation
            inner = try reader.decode(Inner.self, from: text)
        }
    }

    struct Row: Decodable {
        let id: Int, tags: [String], inner: Embedded, after: String
    }

    /// Decodes the string before its other members.
    struct Envelope: Decodable {
        let inner: Inner
        enum Keys: CodingKey { case inner }
        init(from decoder: any Decoder) throws {
            let text = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .inner)
            let reader = decoder.userInfo[EmbeddedDocumentsTests.key] as? Reader ?? .foundation
            inner = try reader.decode(Inner.self, from: text)
        }
    }

    private func check<Value: Decodable & SendableMetatype>(_ type: Value.Type, _ reader: Reader) -> PayloadCheck<Value>
    {
        let decoder = JSONDecoder()
        decoder.userInfo[Self.key] = reader
        return PayloadCheck(type, decoder: decoder)
    }

    @Test(
        arguments: Reader.allCases, [#"{"id":1,"tags":[1]}"#, #"{"tags":[]}"#, #"{"id":null,"tags":[]}"#, "{\"id\":1,"])
    func embeddedDocumentErrorIsLocatedAtItsString(_ reader: Reader, _ inner: String) throws {
        let text = String(decoding: try JSONEncoder().encode(inner), as: UTF8.self)
        let found = check(Row.self, reader).findings(
            in: Array(#"{"id":7,"tags":["ok"],"inner":\#(text),"after":"x"}"#.utf8))
        #expect(found.map(\.path) == [["inner"]])
        #expect(found.first?.location.column == 31)
    }

    @Test func embeddedErrorMessageHasItsInnerPath() {
        let json = #"{"id":7,"tags":["ok"],"inner":"{\"id\":1,\"tags\":[1]}","after":"x"}"#
        #expect(
            check(Row.self, .foundation).texts(json).first?.hasPrefix("1:31: inner: Embedded refused it: tags[0]: ")
                == true)
        #expect(
            check(Row.self, .codable).texts(json).first?.hasPrefix(
                "1:31: inner: Embedded refused it: tags[0]: expected a string, found the number 1") == true)
    }

    @Test(arguments: Reader.allCases, [#"{"id":1,"tags":[1]}"#, #"{"tags":[]}"#, #"{"id":1,"tags":[null]}"#])
    func errorInDocumentEmbeddedByTheTopIsLocatedThere(_ reader: Reader, _ inner: String) throws {
        let text = String(decoding: try JSONEncoder().encode(inner), as: UTF8.self)
        let found = check(Envelope.self, reader).texts(#"{"id":7,"tags":["ok"],"inner":\#(text)}"#)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("1:1: Envelope refused it: ") == true)
    }

    @Test func errorThrownByTypeIsExplainedByTheValueAtItsPath() {
        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if (try? value.decode(Int.self)) != nil || (try? value.decode(String.self)) != nil { return }
                throw DecodingError.typeMismatch(
                    String.self, .init(codingPath: decoder.codingPath, debugDescription: "neither"))
            }
        }
        struct Pair: Decodable {
            enum Keys: CodingKey { case a, b }
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: Keys.self)
                guard keys.contains(.a) || keys.contains(.b) else {
                    throw DecodingError.keyNotFound(
                        Keys.a, .init(codingPath: decoder.codingPath, debugDescription: "neither"))
                }
            }
        }
        #expect(PayloadCheck([Either].self).texts(#"[1, "x", true]"#) == ["1:10: [2]: expected a string, found true"])
        #expect(
            PayloadCheck([Pair].self).texts(#"[{"a": 1}, {"c": 1}]"#) == [
                #"1:12: [1]: expected a value for the key "a", found an object without it | Pair"#
            ])
    }

    @Test func errorThatContradictsTheValueKeepsItsOwnMessage() {
        struct Code: Decodable {
            init(from decoder: any Decoder) throws {
                guard try decoder.singleValueContainer().decode(String.self).hasPrefix("A") else {
                    throw DecodingError.typeMismatch(
                        String.self, .init(codingPath: decoder.codingPath, debugDescription: "no code"))
                }
            }
        }
        #expect(PayloadCheck([Code].self).texts(#"["A1", "B1"]"#) == ["1:8: [1]: Code refused it: no code"])
    }
}
