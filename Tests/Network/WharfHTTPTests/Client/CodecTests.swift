import Testing
import WharfCore
import WharfHTTP
import WharfJSON

/// Values as JSON, in the form in which a store keeps them.
@Suite struct CodecTests {
    private struct Direct: JSONDecodable, JSONEncodable, Equatable {
        var name: String

        static func decode(from json: inout JSONReader) -> Direct? { String.decode(from: &json).map(Direct.init) }
        func encode(into json: inout JSONWriter) { name.encode(into: &json) }
    }

    private struct Indirect: Codable, Equatable {
        var name: String
    }

    @Test func codecWritesJSONAndRoundTrips() throws {
        let direct = Codec<Direct>.json
        #expect(try String(decoding: direct.encode(Direct(name: "é")), as: UTF8.self) == #""é""#)
        #expect(try direct.decode(direct.encode(Direct(name: "é")), 1) == Direct(name: "é"))
        let indirect = Codec<Indirect>.json
        #expect(try String(decoding: indirect.encode(Indirect(name: "é")), as: UTF8.self) == #"{"name":"é"}"#)
        #expect(try indirect.decode(indirect.encode(Indirect(name: "é")), 1) == Indirect(name: "é"))
    }

    @Test func bytesOfAnotherSchemaAreNotRead() {
        #expect(throws: (any Error).self) { try Codec<Indirect>.json(schema: 2).decode(Array(#"{"name":""}"#.utf8), 1) }
        #expect(throws: (any Error).self) { try Codec<Direct>.json.decode(Array(#""""#.utf8), 2) }
    }

    @Test func theStoredFormStaysThatOfThePayload() throws {
        let codec = Codec<Indirect>.json.map(to: \.name, from: Indirect.init)
        let bytes = try codec.encode("Ann")
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"name":"Ann"}"#)
        #expect(try codec.decode(bytes, 1) == "Ann")
    }
}
