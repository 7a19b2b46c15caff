#if os(Linux)
import Testing

@testable import WharfSMTP

struct SMTPReplyReaderTests {
    private func replies(_ text: String, _ reader: inout SMTPReplyReader) throws -> [SMTPReply] {
        try text.utf8.compactMap { try reader.read($0) }
    }

    private func fault(_ bytes: some Sequence<UInt8>) -> SMTPReplyReader.Fault? {
        var reader = SMTPReplyReader()
        do { for byte in bytes { _ = try reader.read(byte) } } catch { return error }
        return nil
    }

    @Test func linesOfOneReplyAreJoined() throws {
        var reader = SMTPReplyReader()
        let found = try replies("220-mx\r\n220 ready\r\n250\r\n550-no\n550 such user\n", &reader)
        #expect(found.map(\.description) == ["220 mx ready", "250", "550 no such user"])
    }

    @Test func linesWithoutACodeArePassedOver() throws {
        var reader = SMTPReplyReader()
        #expect(try replies("\r\nhello\r\n25\r\n2x0 no\r\n250 OK\r\n", &reader).map(\.description) == ["250 OK"])
    }

    @Test func extensionsAreReadBehindTheFirstLine() throws {
        var reader = SMTPReplyReader()
        let found = try replies(
            "250-SIZE of the sea\r\n250-pipelining\r\n250 SIZES\r\n250-mx\r\n250-SIZE 10\r\n250 PIPELINING\r\n", &reader
        )
        #expect(found.map(\.extensions) == [[.pipelining], [.pipelining, .size]])
    }

    @Test func aReplyWithManyLinesIsKeptShort() throws {
        var reader = SMTPReplyReader()
        for _ in 0..<999 { #expect(try replies("250-0123456789\r\n", &reader).isEmpty) }
        #expect(reader.text.unicodeScalars.count == SMTPReplyReader.longestText)
        let found = try replies("250 end\r\n", &reader)
        #expect(found.map(\.code) == [250] && found[0].text.hasPrefix("0123456789 0123456789 "))
        #expect(reader.text.isEmpty)
    }

    @Test func aReplyOfMoreThanAThousandLinesIsAFault() {
        let line = Array("250-x\r\n".utf8)
        let thousand = Array(repeating: line, count: 1_000).flatMap { $0 }
        #expect(fault(thousand) == nil)
        #expect(fault(thousand + line) == .manyLines)
        // Lines without a code count as well. Otherwise a server could send them for ever.
        #expect(fault(Array(repeating: UInt8(ascii: "\n"), count: 1_001)) == .manyLines)
    }

    @Test func aLineOfMoreThan64KBIsAFault() {
        let line = Array("250 ".utf8) + Array(repeating: UInt8(ascii: "x"), count: SMTPReplyReader.longestLine - 4)
        #expect(fault(line) == nil)
        #expect(fault(line + [UInt8(ascii: "x")]) == .longLine)
    }
}
#endif
