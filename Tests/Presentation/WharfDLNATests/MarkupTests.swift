import Testing
import WharfChecks
import WharfPlayback

@testable import WharfDLNA

@Suite struct MarkupTests {
    private func read(_ text: String) throws(PlaybackError) -> Markup {
        try Markup.read(Array(text.utf8), from: "http://a/")
    }

    @Test func elementsAreFoundByTheirLocalNames() throws {
        let root = try read(
            "\u{FEFF}\n <?xml version=\"1.0\" encoding=\"utf-8\"?>\n<s:a x:id='1'><undeclared:b> one <![CDATA[<&>]]> </undeclared:b><b>two</b></s:a>\0"
        )
        #expect(root.name == "a")
        #expect(root.attributes == ["id": "1"])
        #expect(root["b"] == "one <&>")
        #expect(root.first("b")?.text == "one <&>")
        #expect(root.children.count == 2)
    }

    @Test func escapedTextRoundTrips() async throws {
        let legal = Generator<Unicode.Scalar>.scalar.filter { scalar in
            scalar == "\t" || scalar == "\n" || scalar == "\r"
                || scalar.value >= 32 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        }
        try await forAll(.string(of: legal), runs: 500) { text in
            // The dots protect the text's own white space at the ends from trimming.
            let root = try Markup.read(
                Array("<a b=\"\(text.escapedForMarkup)\">.\(text.escapedForMarkup).</a>".utf8), from: "")
            try require(
                root.text.unicodeScalars.elementsEqual(".\(text).".unicodeScalars), "\(root.text.debugDescription)")
        }
    }

    @Test func charactersIllegalInXMLAreDropped() throws {
        #expect("a\0\u{1}\u{B}\u{FFFF}b\u{1F600}".escapedForMarkup == "ab\u{1F600}")
    }

    @Test func anyBytesAreADocumentOrMalformed() async throws {
        let byte = Generator<UInt8>.oneOf(.element(of: Array("<>/&;!?[]\"'=ab:x \n".utf8)), .int(in: 0...255))
        try await forAll(.array(of: byte, count: 0...64), runs: 2_000) { bytes in
            try await require(onlyThrowing: PlaybackError.self, where: { $0.code == .malformed }) {
                try Markup.read(bytes, from: "")
            }
        }
    }

    @Test(arguments: [
        """
        <?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>
        """,
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "<a><!ENTITY b 'b'></a>",
    ])
    func aDocumentTypeIsRefused(text: String) {
        let error = #expect(throws: PlaybackError.self) { try read(text) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("without a document type") == true)
    }

    @Test func aDocumentTypeInAnotherEncodingIsRefused() {
        let utf16 = Array("<?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE a [<!ENTITY b 'b'>]><a>&b;</a>".utf16)
        let bytes: [UInt8] = utf16.reduce(into: [0xFE, 0xFF]) { $0 += [UInt8($1 >> 8), UInt8($1 & 255)] }
        #expect(throws: PlaybackError.self) { try Markup.read(bytes, from: "") }
        let utf7 =
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE a [+ADwAIQ-ENTITY b 'b'+AD4AXQA+-<a>&b;</a>"
        #expect(throws: PlaybackError.self) { try read(utf7) }
        // UTF-16 code units whose bytes are valid UTF-8, without a byte order mark.
        let halves: [UInt8] = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b 'b'>]><a>&b;</a>".utf8.flatMap {
            [$0, 0]
        }
        #expect(throws: PlaybackError.self) { try Markup.read(halves + [65], from: "") }
    }

    @Test func tooDeepNestingIsRefused() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        _ = try read(nested(Markup.deepest))
        let error = #expect(throws: PlaybackError.self) { try read(nested(100_000)) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("nested deeper than 64") == true)
    }

    @Test(arguments: ["", " ", "<a>", "<a></b>", "text", "<a>&undefined;</a>", "<a b></a>"])
    func invalidXMLIsMalformed(text: String) {
        let error = #expect(throws: PlaybackError.self) { try read(text) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("http://a/") == true)
    }

    @Test func latin1IsRead() throws {
        #expect(try Markup.read(Array("<a>K".utf8) + [0xFC] + Array("che</a>".utf8), from: "").text == "K\u{FC}che")
    }
}
