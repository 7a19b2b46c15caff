import Testing
import WharfJSON

/// Elements whose tag equals the case for unknown elements, and elements made by the caller.
@Suite struct UnknownKindTests {
    private static let elements = [
        #"{"type":"unknown"}"#, #"{"type":"unknown","size":1.50}"#, #"{"size" : [ ] ,"type":"unkn\u006fwn"}"#,
        #"{"type":"blob","size":1}"#, #"{"type":""}"#,
    ]

    @Test(arguments: elements) func unknownCaseNameIsNotAKnownKind(_ element: String) throws {
        let document = "[\(element),{\"type\":\"known\"}]"
        for read in [
            try JSON.decode([Tagged<Never>].self, from: document).map(\.unknownElement),
            try JSON.decode([Tagged<Taken>].self, from: document).map(\.unknownElement),
            try CodableJSONDecoder().decode([Tagged<Never>].self, from: Array(document.utf8)).map(\.unknownElement),
        ] {
            #expect(read.map { $0?.json } == [Array(element.utf8), nil])
            #expect(try read[0]?.value()["type"] == JSONValue(.string(try #require(read[0]?.kind))))
            #expect(try text(try #require(read[0])) == element)
            let encoded: [UInt8] = try CodableJSONEncoder().encode(read[0])
            #expect(encoded == Array(element.utf8))
        }
    }

    @Test(arguments: [
        "", " ", "{", #"{"type":"x"}}"#, #"{"type":"x"},"#, "{} {}", "{'type':1}", "[1,]", "01", "nul", "\u{FEFF}{}",
        "\u{FEFF}", "{}\0", #"{"a":"\ud800"}"#,
    ])
    func unknownElementRejectsInvalidJSON(_ json: String) {
        let error = #expect(throws: JSONError.self) { try UnknownElement(kind: "x", json: Array(json.utf8)) }
        #expect(error?.code == .syntax)
        #expect(error?.issues.count == 1)
    }

    @Test func unknownElementRejectsInvalidUTF8() {
        let error = #expect(throws: JSONError.self) { try UnknownElement(kind: "x", json: quoted([0xFF])) }
        #expect(error?.code == .invalidUTF8)
    }

    /// The library does not check that the JSON has the tag. The caller is responsible for it.
    @Test(arguments: [#"{"type":"x"}"#, "{}", #"{"type":7}"#, "null", "[1, 2]", " 1.50\n", "\"\\u0041\""])
    func unknownElementIsWrittenByteForByte(_ json: String) throws {
        let element = try UnknownElement(kind: "x", json: Array(json.utf8))
        #expect(element.kind == "x")
        #expect(try text([element, element]) == "[\(json),\(json)]")
        #expect(Grammar.accepts(try JSON.encode(["a": element])))
        let encoded: [UInt8] = try CodableJSONEncoder().encode([element])
        #expect(encoded == Array("[\(json)]".utf8))
        #expect(try element.value() == JSON.decode(from: json))
    }

    /// A union with one known kind. With `Taken` the tag is compared before it becomes a string.
    private struct Tagged<Reading>: Decodable, JSONPolymorphic {
        enum Kind: String, CaseIterable { case known, unknown }
        static var discriminator: StaticString { "type" }
        static var content: StaticString? { nil }
        static var unknownKind: Kind? { .unknown }
        let unknownElement: UnknownElement?
        var kind: Kind { unknownElement == nil ? .known : .unknown }

        init(_ element: UnknownElement?) { unknownElement = element }

        init(from decoder: any Decoder) throws {
            let element = try PolymorphicDecoder<Self>(decoder)
            unknownElement = element.kind == nil ? try element.unknown() : nil
        }

        static func takeKind(_ json: inout JSONReader) -> Kind? {
            guard Reading.self == Taken.self else { return nil }
            return json.take("known") ? .known : json.take("unknown") ? .unknown : nil
        }

        static func decode(_ kind: Kind, from json: inout JSONReader) -> Tagged? {
            json.skipValue()
            return kind == .known ? Tagged(nil) : nil
        }

        static func keep(_ element: UnknownElement) -> Tagged? { Tagged(element) }
        func encodeContent(into json: inout JSONWriter) {}
    }

    private enum Taken {}
}
