#if os(Linux)
import Testing
import WharfChecks
import WharfCore

@testable import WharfCurl

struct HeadParserTests {
    /// Parses lines that are passed in the way in which libcurl passes them.
    private func parse(_ lines: [[UInt8]]) throws(HeadParser.Malformed) -> (heads: [HTTPResponse], isDone: Bool) {
        let (heads, parser) = try parsed(lines)
        return (heads, parser.isDone)
    }

    private func parsed(_ lines: [[UInt8]]) throws(HeadParser.Malformed) -> (heads: [HTTPResponse], HeadParser) {
        var parser = HeadParser()
        var heads: [HTTPResponse] = []
        for line in lines {
            // `withUnsafeBytes` loses the type of the thrown error.
            let taken = line.withUnsafeBytes { bytes in
                Result { () throws(HeadParser.Malformed) in try parser.take(bytes) }
            }
            if let head = try taken.get() { heads.append(head) }
        }
        return (heads, parser)
    }

    private func parse(_ text: String) throws(HeadParser.Malformed) -> (heads: [HTTPResponse], isDone: Bool) {
        try parse(lines(text))
    }

    private func trailers(_ text: String) throws(HeadParser.Malformed) -> [String] {
        try parsed(lines(text)).1.trailers.map { "\($0.name.rawName)=\($0.value)" }
    }

    private func lines(_ text: String) -> [[UInt8]] {
        text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast().map { Array("\($0)\r\n".utf8) }
    }

    private func reason(_ text: String) -> String? {
        do throws(HeadParser.Malformed) {
            _ = try parse(text)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func aHeadEndsAtItsEmptyLine() throws {
        let lines = "HTTP/1.1 200 OK\r\nA: 1\r\na:2\r\nEmpty:\r\n"
        #expect(try parse(lines).isDone == false)
        let (heads, isDone) = try parse(lines + "\r\n")
        #expect(isDone)
        #expect(heads.map(\.status.code) == [200])
        #expect(heads.first?.headerFields[values: try #require(HTTPField.Name("a"))] == ["1", "2"])
        #expect(heads.first?.headerFields[try #require(HTTPField.Name("Empty"))] == "")
    }

    @Test(arguments: ["HTTP/1.1 204\r\n\r\n", "HTTP/2 204 \r\n\r\n", "HTTP/1.0 204 A  phrase\r\n\r\n"])
    func aStatusNeedsNoPhrase(text: String) throws { #expect(try parse(text).heads.map(\.status.code) == [204]) }

    @Test(arguments: [
        "HTTP/1.1 099 X\r\n", "HTTP/1.1 20 X\r\n", "HTTP/1.1 2000 X\r\n", "HTTP/1.1 OK\r\n", "ICY 200 OK\r\n",
        "HTTP/1.1  200 OK\r\n",
        "HTTP/1.1x 200 OK\r\n", "HTTP/ 200 OK\r\n",
    ])
    func malformedStatusLineIsRefused(text: String) { #expect(reason(text)?.contains("status") == true) }

    @Test func interimHeadsAndTrailersAreApartFromTheFinalHead() throws {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n"
        let (heads, isDone) = try parse(text + "Server-Timing: db\r\n\r\n")
        #expect(isDone)
        #expect(heads.map(\.status.code) == [100, 103, 200])
        #expect(heads.map { $0.headerFields.map(\.value) } == [[], ["</x>"], ["1"]])
        #expect(try trailers(text + "Server-Timing: db\r\nX: a\r\n\r\n") == ["Server-Timing=db", "X=a"])
    }

    @Test func beforeTheFinalHeadThereAreNoTrailers() throws {
        #expect(try trailers("HTTP/1.1 103 Early Hints\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\nB: 2\r\n") == [])
        #expect(try trailers("HTTP/1.1 200 OK\r\nB: 2\r\n\r\n") == [])
    }

    /// The body before them is whole, so they don't fail the response.
    @Test(arguments: [
        "no colon\r\n", " folded\r\n", "A : 1\r\n folded\r\n", "A: 1\rB: 2\r\n", "Content-Length : 5\r\n",
    ])
    func malformedTrailersAreDropped(lines: String) throws {
        #expect(try trailers("HTTP/1.1 200 OK\r\n\r\n\(lines)C: 3\r\n\r\n") == ["C=3"])
    }

    @Test func anInterimHeadAloneIsNoAnswer() throws {
        #expect(try parse("HTTP/1.1 100 Continue\r\n\r\n").isDone == false)
    }

    @Test(arguments: ["Content-Length: 3", "Transfer-Encoding: chunked"])
    func anInterimHeadThatAnnouncesABodyIsRefused(field: String) {
        #expect(reason("HTTP/1.1 103 Early Hints\r\n\(field)\r\n\r\n")?.contains("interim") == true)
    }

    @Test(arguments: ["A: 1\rB: 2\r\n", "\r\r\n"])
    func aBareCRIsRefused(line: String) {
        #expect(reason("HTTP/1.1 200 OK\r\n\(line)\r\n")?.contains("CR") == true)
    }

    @Test func switchingProtocolsIsRefused() {
        #expect(reason("HTTP/1.1 101 Switching Protocols\r\n\r\n")?.contains("101") == true)
    }

    @Test func bytesBeyondASCIIAreUTF8OrElseLatin1() throws {
        let name = try #require(HTTPField.Name("X"))
        let line = Array("X: ".utf8)
        for (bytes, text) in [(Array("smørrebrød".utf8), "smørrebrød"), ([0x73, 0x6d, 0xf8, 0x72], "smør")] {
            let (heads, _) = try parse([Array("HTTP/1.1 200 OK\r\n".utf8), line + bytes + [13, 10], [13, 10]])
            #expect(heads.first?.headerFields[name] == text)
        }
    }

    @Test func aFoldedLineContinuesItsField() throws {
        let (heads, _) = try parse("HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nY: c\r\n\r\n")
        #expect(heads.first?.headerFields.map(\.value).first?.split(separator: " ") == ["a", "b"])
        #expect(reason("HTTP/1.1 200 OK\r\n b\r\n\r\n") != nil)
    }

    @Test func foldedLineOfADroppedFieldIsDropped() throws {
        let (heads, _) = try parse("HTTP/1.1 200 OK\r\nX: a\r\nY : c\r\n d\r\n e\r\nZ: f\r\n g\r\n\r\n")
        let values = heads.first?.headerFields.map { $0.value.split(separator: " ") }
        #expect(values == [["a"], ["f", "g"]])
    }

    @Test(arguments: [
        "Transfer-Encoding:\r\n chunked\r\n", "Transfer-Encoding: chunked\r\n\t\r\n", "Content-Length:\r\n 5\r\n",
        "Content-Length: 5\r\n\t6\r\n",
    ])
    func aFoldedLengthIsRefused(field: String) {
        #expect(reason("HTTP/1.1 200 OK\r\n\(field)\r\n")?.contains("folded") == true)
    }

    @Test(arguments: ["Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5, 6\r\n"])
    func twoLengthsAreRefused(fields: String) {
        #expect(reason("HTTP/1.1 200 OK\r\n\(fields)\r\n")?.contains("Content-Length") == true)
    }

    @Test(arguments: ["", "-1", "+5", "5 x", "0x5", "5,", "99999999999999999999"])
    func nonNumericLengthIsRefused(length: String) {
        #expect(reason("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")?.contains("Content-Length") == true)
    }

    @Test func fieldWithSpaceBeforeItsColonIsDropped() throws {
        let (heads, _) = try parse("HTTP/1.1 200 OK\r\nContent-Type : x\r\nA: 1\r\n\r\n")
        #expect(heads.first?.headerFields.map(\.name.rawName) == ["A"])
    }

    @Test(arguments: ["Content-Length : 5\r\n", "Transfer-Encoding\t: chunked\r\n"])
    func aLengthBeforeASpaceIsRefused(field: String) {
        #expect(reason("HTTP/1.1 200 OK\r\n\(field)\r\n")?.contains("space") == true)
    }

    @Test func repeatedEqualLengthIsAccepted() throws {
        #expect(try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n").isDone)
    }

    @Test func chunkedCodingIsRemovedAndOtherCodingsAreRefused() throws {
        let (heads, _) = try parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 5\r\nA: 1\r\n\r\n")
        #expect(heads.first?.headerFields.map(\.name.rawName) == ["A"])
        for coding in ["gzip, chunked", "chunked, chunked", "", "x"] {
            #expect(reason("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n")?.contains("chunked") == true)
        }
    }

    @Test func aHeadBeyondTheLimitIsRefused() {
        let field = "X: \(String(repeating: "y", count: 50_000))\r\n"
        let fields = String(repeating: field, count: 6)
        #expect(reason("HTTP/1.1 200 OK\r\n\(fields)\r\n")?.contains("256 KB") == true)
        // Trailers count as well, as a server could send them for ever.
        #expect(reason("HTTP/1.1 200 OK\r\n\r\n\(fields)\r\n")?.contains("256 KB") == true)
    }

    @Test func anyLinesAreAHeadOrMalformed() async throws {
        let byte = Generator<UInt8>.element(of: Array("HTTP/1. 203\r\n:aA\u{e9}\0\t".utf8))
        try await forAll(.array(of: .array(of: byte, count: 0...20), count: 0...10), runs: 500) { lines in
            let result = Result { () throws(HeadParser.Malformed) in
                try parse([Array("HTTP/1.1 200 OK\r\n".utf8)] + lines + [[13, 10]])
            }
            switch result {
            case .success(let (heads, isDone)): try require(heads.count == 1 && isDone, "\(heads.count) heads")
            case .failure(let error): try require(!error.reason.isEmpty, "no reason")
            }
        }
    }
}
#endif
