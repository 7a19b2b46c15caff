#if TestServer
import Testing
import WharfCore
import WharfTesting

@testable import WharfTestServer

struct RequestParserTests {
    private static let head = "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ body: [UInt8]) -> [UInt8] {
        Array((String(body.count, radix: 16) + ";x\r\n").utf8) + body + [13, 10]
    }

    /// The bodies of the requests in bytes that come in pieces.
    private func bodies(_ pieces: some Sequence<[UInt8]>) throws -> [[UInt8]] {
        var parser = RequestParser()
        var bodies: [[UInt8]] = []
        for piece in pieces {
            try Task.checkCancellation()
            parser.append(piece)
            while case .request(let request) = try parser.step() { bodies.append(request.body) }
        }
        return bodies
    }

    @Test func chunksAreOneBodyHoweverTheyArrive() async throws {
        let byte = Generator.element(of: [UInt8(ascii: "a"), 13, 10, UInt8(ascii: "0"), 0, 255])
        let request = Generator.array(of: .array(of: byte, count: 1...20), count: 0...5)
        let uploads = Generator.zip(
            Generator.array(of: request, count: 1...3), Generator.array(of: .int(in: 1...30), count: 0...40))
        try await forAll(uploads, runs: 300) { requests, sizes in
            var rest = requests.flatMap { Array(Self.head.utf8) + ($0 + [[]]).flatMap(Self.chunk) }[...]
            var pieces: [[UInt8]] = []
            for size in sizes {
                pieces.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            let found = try bodies(pieces + [Array(rest)])
            try require(found == requests.map { Array($0.joined()) }, "found \(found)")
        }
    }

    /// One that reads all from the beginning with each piece takes longer than the suite may.
    @Test func aLongUploadOfManyChunksTakesTimeByItsLength() throws {
        let chunks = Array(repeating: Self.chunk(Array(repeating: 7, count: 8)), count: 25).flatMap { $0 }
        let pieces = [Array(Self.head.utf8)] + Array(repeating: chunks, count: 4_000) + [Self.chunk([])]
        #expect(try bodies(pieces) == [Array(repeating: 7, count: 800_000)])
    }
}
#endif
