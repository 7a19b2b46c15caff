import Foundation
import Testing
import WharfCheck

/// Documents that Foundation's decoder reads although they are not plain JSON in UTF-8.
@Suite struct EncodingsTests {
    struct Row: Decodable { let a: Int, b: Int }

    static let encodings: [String.Encoding] = [
        .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ]
    static let json = #"{"é": "ü", "a": "x", "b": null}"#

    /// Foundation does not recognise the byte order mark of little-endian UTF-32.
    private static func data(_ json: String, _ encoding: String.Encoding, hasMark: Bool) throws -> [UInt8] {
        let mark = hasMark && encoding != .utf32LittleEndian ? "\u{FEFF}" : ""
        return Array(try #require((mark + json).data(using: encoding)))
    }

    @Test(arguments: encodings, [false, true])
    func everyErrorOfADocumentInUTF16OrUTF32IsFound(_ encoding: String.Encoding, _ hasMark: Bool) throws {
        let data = try Self.data(Self.json, encoding, hasMark: hasMark)
        let found = PayloadCheck(Row.self).findings(in: data)
        #expect(found.map(\.path) == [["a"], ["b"]])
        #expect(found.map(\.location.column) == [17, 27])
        #expect(found.map(\.excerpt.text) == [Self.json, Self.json])
        #expect(found.map(\.hides) == [nil, nil])
    }

    @Test(arguments: encodings, [false, true])
    func otherEncodingIsAnErrorOnlyIfStrict(_ encoding: String.Encoding, _ hasMark: Bool) throws {
        let data = try Self.data(#"{"a": 1, "b": 2}"#, encoding, hasMark: hasMark)
        let check = PayloadCheck(Row.self)
        #expect(check.findings(in: data) == [])
        let strict = check.findings(in: data, options: CheckOptions(isStrict: true))
        #expect(strict.count == 1)
        #expect(strict.first?.message.hasPrefix("expected UTF-8, found UTF-") == true)
    }

    @Test(
        arguments: [[0x7B], [0x7B, 0x00], [0x00, 0x7B, 0x00], [0xFF, 0xFE, 0x7B], [0xFF, 0xFE, 0x00, 0xD8], []]
            as [[UInt8]])
    func truncatedDocumentInOtherEncodingIsOneError(_ bytes: [UInt8]) {
        #expect(PayloadCheck(Row.self).findings(in: bytes).count == 1)
    }

    @Test(arguments: [
        ("{a: 'x', b: null}", "Expected to decode Int"), ("{b: 1}", "No value associated with key"),
        ("'x'", "Expected to decode"),
    ])
    func unexaminableDocumentErrorSaysThatMoreMayBeHidden(_ json: String, _ words: String) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let found = PayloadCheck(Row.self, decoder: decoder).findings(in: Array(json.utf8))
        #expect(found.map(\.hides) == ["Row"])
        #expect(found.first?.message.hasPrefix(words) == true, "\(found)")
    }

    @Test(arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalidUTF8ByteIsNamedWithItsLocation(_ bytes: [UInt8]) {
        let document = Array("{\"a\": 1,\n\"b\": \"".utf8) + bytes + Array("\"}".utf8)
        let found = PayloadCheck(Row.self).findings(in: document)
        #expect(found.count == 1)
        #expect(found.first?.kind == .syntax)
        #expect(found.first?.location == SourceLocation(offset: 15, line: 2, column: 7))
        #expect(found.first?.message.contains("byte 0x") == true, "\(found)")
    }
}
