import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation

/// A hand-written union through `Codable`, with the coders of both libraries.
@Suite struct UnionTests {
    @Test(
        arguments: [
            #"{"kind":"circle","value":{"radius":2.5}}"#, #"{"value":{"radius":2.5},"kind":"circle"}"#,
            #"{"x":[],"value":{"y":{},"radius":2.5},"z":null,"kind":"circle"}"#,
        ], Coder.allCases)
    func adjacentTagIsReadFirstOrLast(_ document: String, _ coder: Coder) throws {
        let feed = try coder.decode(Feed<Piece<Adjacent>>.self, #"{"shapes":[\#(document)]}"#)
        #expect(feed.shapes == [.circle(Circle(radius: 2.5))])
        #expect(try coder.encode(feed) == #"{"shapes":[{"kind":"circle","value":{"radius":2.5}}]}"#)
        let note = try coder.decode(
            Piece<Adjacent>.self,
            document.replacing(#""radius":2.5"#, with: #""text":"a""#).replacing(
                "circle", with: "note"))
        #expect(note == .note(Note(text: "a")))
        #expect(try coder.encode(note) == #"{"kind":"note","value":{"text":"a"}}"#)
    }

    @Test(
        arguments: [
            #"{"kind":"circle","radius":2.5}"#, #"{"radius":2.5,"kind":"circle"}"#,
            #"{"x":[],"radius":2.5,"z":null,"kind":"circle","y":{}}"#,
        ], Coder.allCases)
    func internalTagIsReadFirstOrLast(_ document: String, _ coder: Coder) throws {
        let feed = try coder.decode(Feed<Piece<Internal>>.self, #"{"shapes":[\#(document)]}"#)
        #expect(feed.shapes == [.circle(Circle(radius: 2.5))])
        #expect(try coder.encode(feed) == #"{"shapes":[{"kind":"circle","radius":2.5}]}"#)
        let note = try coder.decode(
            Piece<Internal>.self,
            document.replacing(#""radius":2.5"#, with: #""text":"a""#).replacing(
                "circle", with: "note"))
        #expect(note == .note(Note(text: "a")))
        #expect(try coder.encode(note) == #"{"kind":"note","text":"a"}"#)
    }

    @Test(arguments: Coder.allCases) func anElementOfUnknownKindIsKept(_ coder: Coder) throws {
        let document = #"{"shapes":[{"kind":"blob", "n" : 1.50,"é":"\/"},{"value":{"a":[]},"kind":"unknown"}]}"#
        let adjacent = try coder.decode(Feed<Piece<Adjacent>>.self, document).shapes
        let `internal` = try coder.decode(Feed<Piece<Internal>>.self, document).shapes
        #expect(adjacent.map(\.unknownElement?.kind) == `internal`.map(\.unknownElement?.kind))
        let elements = adjacent.compactMap(\.unknownElement)
        #expect(elements.map(\.kind) == ["blob", "unknown"])
        let values = try elements.map { try $0.value() }
        #expect(values.map { $0["é"] } == ["/", nil])
        #expect(values.map { $0["value"]?["a"] } == [nil, JSONValue(.array([]))])
        if coder == .ours {
            // Byte for byte.
            #expect(
                elements.map { String(decoding: $0.json, as: UTF8.self) } == [
                    #"{"kind":"blob", "n" : 1.50,"é":"\/"}"#, #"{"value":{"a":[]},"kind":"unknown"}"#,
                ])
            #expect(try coder.encode(Feed(shapes: adjacent)) == document)
            #expect(try coder.encode(Feed(shapes: `internal`)) == document)
        } else {
            let again = try coder.decode(Feed<Piece<Adjacent>>.self, coder.encode(Feed(shapes: adjacent))).shapes
            #expect(again.map { $0.unknownElement?.kind } == ["blob", "unknown"])
            #expect(try again.first?.unknownElement?.value()["é"] == "/")
        }
    }

    /// The payload encodes itself beside its tag. Its keys are its own, as in decoding.
    @Test func keyStrategyLeavesKeysOfSelfEncodingPayloadUnchanged() throws {
        var encoder = CodableJSONEncoder()
        encoder.keyEncodingStrategy = .custom { TextKey((($0.last?.stringValue ?? "").uppercased())) }
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let bytes: [UInt8] = try encoder.encode(Feed<Piece<Internal>>(shapes: [.note(Note(text: "a"))]))
        let written = """
            {
              "SHAPES" : [
                {
                  "KIND" : "note",
                  "text" : "a"
                }
              ]
            }
            """
        #expect(String(decoding: bytes, as: UTF8.self) == written)
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let element: String
        let isInternal: Bool
        let expected: String
        var testDescription: String { element }
    }

    static let faults = [
        Fault(element: #"{"value":{"radius":1}}"#, isInternal: false, expected: "keyNotFound kind: 1"),
        Fault(element: #"{"radius":1}"#, isInternal: true, expected: "keyNotFound kind: 1"),
        Fault(element: #"{"kind":7,"value":{}}"#, isInternal: false, expected: "typeMismatch: 1.kind"),
        Fault(element: #"{"radius":1,"kind":null}"#, isInternal: true, expected: "valueNotFound: 1.kind"),
        Fault(element: "[]", isInternal: false, expected: "typeMismatch: 1"),
        Fault(element: "null", isInternal: true, expected: "valueNotFound: 1"),
        Fault(element: #"{"kind":"circle"}"#, isInternal: false, expected: "keyNotFound value: 1"),
        Fault(element: #"{"kind":"note"}"#, isInternal: false, expected: "keyNotFound value: 1"),
        Fault(element: #"{"kind":"circle"}"#, isInternal: true, expected: "keyNotFound radius: 1"),
        Fault(
            element: #"{"kind":"circle","value":{"radius":"x"}}"#, isInternal: false,
            expected: "typeMismatch: 1.value.radius"),
        Fault(
            element: #"{"value":{"radius":"x"},"kind":"circle"}"#, isInternal: false,
            expected: "typeMismatch: 1.value.radius"),
        Fault(element: #"{"radius":{},"kind":"circle"}"#, isInternal: true, expected: "typeMismatch: 1.radius"),
        // A directly decoded payload has a single error, and its JSONError has the location inside
        // it.
        Fault(element: #"{"kind":"note","value":{"text":1}}"#, isInternal: false, expected: "dataCorrupted: 1.value"),
        Fault(element: #"{"value":[],"kind":"note"}"#, isInternal: false, expected: "dataCorrupted: 1.value"),
        Fault(element: #"{"kind":"note","text":1}"#, isInternal: true, expected: "dataCorrupted: 1"),
        Fault(element: #"{"kind":"note"}"#, isInternal: true, expected: "dataCorrupted: 1"),
    ]

    @Test(arguments: faults, Coder.allCases) func unionErrorHasItsCodingPath(_ fault: Fault, _ coder: Coder) throws {
        let document =
            fault.isInternal
            ? #"{"shapes":[{"kind":"circle","radius":1},\#(fault.element)]}"#
            : #"{"shapes":[{"kind":"circle","value":{"radius":1}},\#(fault.element)]}"#
        let failure =
            fault.isInternal
            ? Outcome { try coder.decode(Feed<Piece<Internal>>.self, document) }.failure
            : Outcome { try coder.decode(Feed<Piece<Adjacent>>.self, document) }.failure
        let path = try #require(failure?.path)
        #expect(path.prefix(2) == ["shapes", "Index 1 (1)"])
        #expect("\(failure?.name ?? ""): \((["1"] + path.dropFirst(2)).joined(separator: "."))" == fault.expected)
    }

    @Test(arguments: Coder.allCases) func unknownTagWithoutUnknownCaseIsAnErrorAtTheTag(_ coder: Coder) {
        let document = #"{"shapes":[{"kind":"count","value":1},{"value":1,"kind":"blob"}]}"#
        let failure = Outcome { try coder.decode(Feed<Bare<Adjacent>>.self, document) }.failure
        #expect(failure?.name == "dataCorrupted")
        #expect(failure?.path == ["shapes", "Index 1 (1)", "kind"])
        let error = #expect(throws: DecodingError.self) { try coder.decode(Feed<Bare<Internal>>.self, document) }
        // The first element is already wrong: its payload is no object from which `Int` could be
        // decoded.
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["shapes", "Index 0"])
    }

    @Test(arguments: Coder.allCases) func nonObjectPayloadNeedsAnAdjacentTag(_ coder: Coder) throws {
        func values<Tag: Tagging>(_ tag: Tag.Type) -> [Bare<Tag>] {
            [.count(7), .words(["a"]), .words([]), .ratio(0.5)]
        }
        for value in values(Internal.self) {
            let failure = Outcome { try coder.encode(Feed(shapes: [value])) }.failure
            #expect(failure?.name == "invalidValue", "\(value)")
        }
        // The same holds if it is rejected before its kind is known.
        #expect(
            Outcome { try coder.encode(Feed(shapes: [Bare<Internal>.ratio(.nan)])) }.failure?.name == "invalidValue")
        #expect(
            try coder.encode(Feed(shapes: values(Adjacent.self)))
                == #"{"shapes":[{"kind":"count","value":7},{"kind":"words","value":["a"]},{"kind":"words","value":[]},"#
                + #"{"kind":"ratio","value":0.5}]}"#)
    }

    /// The array fails at its first element. Foundation's encoder crashes the process if it is
    /// asked for both containers.
    @Test(arguments: Coder.allCases) func failingArrayPayloadIsAnEncodingError(_ coder: Coder) throws {
        let failure = Outcome { try coder.encode(Refused(ratios: [.infinity])) }.failure
        #expect(failure?.name == "invalidValue")
    }
}

private struct Refused: Encodable {
    let ratios: [Double]

    func encode(to encoder: any Encoder) throws {
        try PolymorphicEncoder<Bare<Internal>>(encoder).encode(.words, ratios)
    }
}
