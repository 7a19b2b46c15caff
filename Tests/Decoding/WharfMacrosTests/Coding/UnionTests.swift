import Foundation
import Testing
import WharfChecks
import WharfJSON

@Suite struct UnionTests {
    private static let text = """
        [{"type":"square","attributes":{"length":2}},{"type":"circ","attributes":{"radius":0.5}},\
        {"type":"group","attributes":{"shapes":[{"type":"nowhere"}]}},{"type":"star", "points": [5, 1.50]}]
        """
    private static let known: [Shape] = [
        .square(Square(length: 2)), .circle(Circle(radius: 0.5)), .group(Group(shapes: [.nowhere])),
    ]

    @Test func everyKindIsReadAndWrittenAndUnknownOnesByteForByte() throws {
        let shapes = try JSON.decode([Shape].self, from: Self.text)
        #expect(Array(shapes.prefix(3)) == Self.known)
        #expect(shapes.map(\.kind) == [.square, .circle, .group, .unknown])
        #expect(shapes[3].unknownElement?.kind == "star")
        #expect(try JSON.text(shapes) == Self.text)
        #expect(Shape.Kind.allCases.map(\.rawValue) == ["square", "circ", "group", "nowhere", "unknown"])
    }

    @Test func theTagMayComeLast() throws {
        let text = #"[{"attributes":{"length":2},"type":"square"},{"attributes":1,"type":"nowhere"}]"#
        #expect(try JSON.decode([Shape].self, from: text) == [.square(Square(length: 2)), .nowhere])
    }

    @Test func errorsInAPayloadHaveTheirPlace() {
        #expect(
            issues(#"[{"type":"square","attributes":{"length":"2"}},{"type":"circ"},{}]"#, as: [Shape].self) == [
                "typeMismatch [0].attributes.length 1:42", "missingKey [1].attributes 1:48", "missingKey [2].type 1:64",
            ])
    }

    @Test func theTagMayStandInThePayload() throws {
        try roundTrip(
            #"[{"kind":"opened","by":"Ann","tags":["a"]},{"kind":"closed"}]"#,
            [Event.opened(Opened(by: "Ann", tags: ["a"])), .closed])
        #expect(issues(#"[{"kind":"moved"}]"#, as: [Event].self) == ["unknownCase [0].kind 1:10"])
    }

    @Test func genericPayloadsAreReadable() throws {
        try roundTrip(#"[{"t":"left","v":1},{"t":"right","v":"r"}]"#, [Either<Int, String>.left(1), .right("r")])
    }

    @Test func otherCodersReadAndWriteTheSame() throws {
        let data = Data(Self.text.utf8)
        let shapes = try JSONDecoder().decode([Shape].self, from: data)
        #expect(Array(shapes.prefix(3)) == Self.known)
        #expect(shapes[3].kind == .unknown && shapes[3].unknownElement?.kind == "star")
        let again = try JSONDecoder().decode([Shape].self, from: JSONEncoder().encode(shapes))
        #expect(Array(again.prefix(3)) == Self.known)
        #expect(try again[3].unknownElement?.value()["points"]?.description == "[5,1.5]")
    }

    @Test func otherCodersReadTheTagInThePayload() throws {
        let events = [Event.opened(Opened(by: "Ann")), .closed]
        #expect(try JSONDecoder().decode([Event].self, from: JSONEncoder().encode(events)) == events)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Event].self, from: Data(#"[{"kind":"moved"}]"#.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(context.codingPath.map(\.stringValue).last == "kind")
        #expect(context.debugDescription == #"expected one of "opened", "closed", found "moved""#)
    }

    @Test func otherCodersLocateErrorsInADirectPayload() {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Shape.self, from: Data(#"{"type":"circ","attributes":{"radius":""}}"#.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(context.codingPath.map(\.stringValue) == ["attributes"])
        #expect(context.underlyingError is JSONError)
    }
}
