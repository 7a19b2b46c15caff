import Testing
import WharfCore
import WharfRandom

@testable import WharfScreens

struct ServerRequestReaderTests {
    typealias Refusal = ServerRequestReader.Refusal

    /// Returns the request, or nil if more bytes are needed.
    private func read(_ pieces: [[UInt8]], bodyLimit: Int = 100) throws(Refusal) -> TransportRequest? {
        var reader = ServerRequestReader(bodyLimit: bodyLimit)
        for piece in pieces { if case .request(let request) = try reader.append(piece) { return request } }
        return nil
    }

    private func status(of text: String) -> Int? {
        do throws(Refusal) {
            _ = try read([Array(text.utf8)])
            return nil
        } catch {
            return error.status.code
        }
    }

    private static let whole =
        "POST /tv/session?a=b HTTP/1.1\r\nHost: tv:80\r\nX:  a b \t\r\nContent-Length: 2\r\n\r\n{}"

    @Test func aRequestIsTheSameHoweverItIsSplit() async throws {
        let bytes = Array(Self.whole.utf8)
        for end in 0...bytes.count {
            let request = try #require(try read([Array(bytes[..<end]), Array(bytes[end...])]))
            #expect(request.head.method == .post)
            #expect(request.head.path == "/tv/session?a=b")
            #expect(request.head.authority == "tv:80")
            #expect(request.head.headerFields[values: try #require(.init("X"))] == ["a b"])
            let body = try await request.body.collect(upTo: 10)
            #expect(body == Array("{}".utf8))
        }
        #expect(try read(bytes.map { [$0] }) != nil)
        for end in 0..<bytes.count { #expect(try read([Array(bytes[..<end])]) == nil) }
    }

    @Test(arguments: [
        ("\r\n\r\n", 400), ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\u{1}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 1 << 14), 431),
    ])
    func aDoubtfulHeadIsRefused(text: String, status: Int) {
        #expect(self.status(of: text) == status)
    }

    @Test func randomBytesAreReadOrRefused() {
        var generator = SeededGenerator(seed: 9112)
        for _ in 0..<300 {
            var bytes = Array(Self.whole.utf8)
            for _ in 0..<3 {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            }
            do throws(Refusal) { _ = try read([bytes]) } catch { #expect([400, 413, 501].contains(error.status.code)) }
        }
    }

    @Test func continueIsSentOnce() throws {
        var reader = ServerRequestReader(bodyLimit: 100)
        var leaves = 0
        let waiting = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
        for piece in [Array(waiting.utf8), [], [1]] { if case .sendContinue = try reader.append(piece) { leaves += 1 } }
        #expect(leaves == 1)
    }
}
