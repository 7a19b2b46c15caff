import Testing
import WharfJSON

@Suite struct ShapesTests {
    private let document = """
        [{"type": "square", "attributes": {"length": 2}},
         {"attributes": {"height": 4, "width": 3, "name": null}, "type": "rectangle"},
         {"type": "dot"},
         {"type": "blob", "attributes": {"n": [1, 2.50]}, "z": "\\u00e9"},
         {"type": "rectangle", "attributes": {"\\u0077idth": 3, "height": 4, "more": {"x": []}, "name": "a\\nb"}}]
        """

    @Test func elementsKeepTheirOrderTypeAndUnknownKinds() throws {
        let shapes = try JSON.decode([Shape].self, from: document)
        #expect(shapes.map(\.kind) == [.square, .rectangle, .dot, .unknown, .rectangle])
        #expect(shapes[0] == .square(Square(length: 2)))
        #expect(shapes[1] == .rectangle(Rectangle(width: 3, height: 4)))
        #expect(shapes[4] == .rectangle(Rectangle(width: 3, height: 4, name: "a\nb")))
        let bytes = try JSON.encode(shapes)
        let blob = #"{"type": "blob", "attributes": {"n": [1, 2.50]}, "z": "\u00e9"}"#
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"[{"type":"square","attributes":{"length":2}},"#
                + #"{"type":"rectangle","attributes":{"width":3,"height":4}},{"type":"dot"},"# + blob
                + #",{"type":"rectangle","attributes":{"width":3,"height":4,"name":"a\nb"}}]"#)
    }

    @Test func everyErrorIsReportedOnceWithItsPlace() throws {
        let document = """
            [{"type": "square", "attributes": {"length": "2"}},
             {"attributes": {"height": 4.5}, "type": "rectangle"},
             {"type": 7, "attributes": {}},
             {"attributes": {}},
             {"type": "square"}]
            """
        let error = #expect(throws: JSONError.self) { try JSON.decode([Shape].self, from: document) }
        print(error?.description ?? "")
        #expect(
            error?.issues.map(\.summary) == [
                #"1:46: [0].attributes.length: expected a whole number (Int), found the string "2""#,
                #"2:17: [1].attributes.width: expected a value for the key "width", found an object without it"#,
                "2:28: [1].attributes.height: expected a whole number (Int), found the number 4.5",
                #"3:11: [2].type: expected a string, found the number 7"#,
                #"4:2: [3].type: expected a value for the key "type", found an object without it"#,
                #"5:2: [4].attributes: expected a value for the key "attributes", found an object without it"#,
            ])
    }
}
