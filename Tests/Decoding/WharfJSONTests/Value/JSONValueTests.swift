import Testing
import WharfJSON

@Suite struct JSONValueTests {
    private let document = #" {"b": [1, 2.50, -0, 1E+2], "a": {"x": null, "x": "é\u00e9\n"}, "": true} "#

    @Test func valueKeepsKeyOrderRepeatedKeysAndNumberText() throws {
        let value = try JSON.decode(JSONValue.self, from: document)
        #expect(try text(value) == #"{"b":[1,2.50,-0,1E+2],"a":{"x":null,"x":"éé\n"},"":true}"#)
        #expect(value.description == (try text(value)))
        guard case .object(let members) = value.content else { throw Failed() }
        #expect(members.map(\.key) == ["b", "a", ""])
        #expect(value["a"]?["x"] == nil as JSONValue)
        #expect(value["b"]?[1] == JSONValue(.number(try #require(JSONNumber("2.50")))))
        #expect(value[["b", 3]]?.content == .number(try #require(JSONNumber("1E+2"))))
        #expect(value[["b", 4]] == nil)
        #expect(value["c"] == nil)
        #expect(value[0] == nil)
        #expect(value["b"]?["b"] == nil)
    }

    @Test func theRangeOfAValueIsItsText() throws {
        let bytes = JSONBytes(document)
        let value = try JSON.decode(JSONValue.self, from: bytes)
        var texts: [String] = []
        func visit(_ value: JSONValue) throws {
            let range = try #require(value.range)
            texts.append(String(decoding: bytes[range], as: UTF8.self))
            #expect(try JSON.decode(JSONValue.self, from: bytes[range]) == value)
            switch value.content {
            case .array(let elements): for element in elements { try visit(element) }
            case .object(let members): for member in members { try visit(member.value) }
            default: break
            }
        }
        try visit(value)
        #expect(texts[0] == document.dropFirst().dropLast())
        #expect(
            texts[1...] == [
                "[1, 2.50, -0, 1E+2]", "1", "2.50", "-0", "1E+2", #"{"x": null, "x": "é\u00e9\n"}"#, "null",
                #""é\u00e9\n""#, "true",
            ])
    }

    @Test func valuesAreEqualByContentNotByRange() throws {
        let left = try JSON.decode(JSONValue.self, from: #"{"a":[1,"x"],"b":null}"#)
        let right = try JSON.decode(JSONValue.self, from: "{\n \"\\u0061\" : [ 1 , \"\\u0078\" ] , \"b\" : null }")
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left == ["a": [1, "x"], "b": nil])
        #expect(left.range != right.range)
        for other in [
            #"{"b":null,"a":[1,"x"]}"#, #"{"a":[1.0,"x"],"b":null}"#, #"{"a":[1,"x"]}"#, #"{"a":["x",1],"b":null}"#,
        ] {
            #expect(try JSON.decode(JSONValue.self, from: other) != left)
        }
    }

    @Test(arguments: [
        "null", "true", "-0.0e-00", #""\\\"é""#, "[]", "{}", #"{"":{"a":[[],{}]},"":1}"#,
        "[1e400,123456789012345678901234567890]",
        #"["\u001f\n","/"]"#,
    ])
    func compactTextIsWrittenBackByteForByte(_ document: String) throws {
        #expect(try text(JSON.decode(JSONValue.self, from: document)) == document)
    }

    @Test(arguments: [
        "", " 1", "1 ", "+1", ".5", "01", "1.", "-", "NaN", "Infinity", "1e", "1,", "\"1\"", "1 2", "0x1", "1\0", "١",
    ])
    func malformedTextMakesNoJSONNumber(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test func numberIsConvertedAndComparedByItsText() throws {
        #expect(JSONNumber("1e3")?.integer() == 1000)
        #expect(JSONNumber("1e400")?.double == nil)
        #expect(JSONNumber("-2.5")?.double == -2.5)
        #expect(JSONNumber(Int8(-7)).text == "-7")
        #expect(JSONNumber("300")?.integer(UInt8.self) == nil)
        #expect(JSONNumber("1.0") != JSONNumber("1"))
    }

    private struct Failed: Error {}
}
