import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRandom

@testable import WharfContentCoding

struct GzipTests {
    private static let body: Generator<[UInt8]> = Generator { choices in
        let length = try choices.draw(.int(in: 0...20_000))
        let most = try choices.draw(.element(of: [UInt8(3), 255]))
        var random = SeededGenerator(seed: try choices.draw(.int(in: UInt64(0)...UInt64.max)))
        return (0..<length).map { _ in UInt8.random(in: 0...most, using: &random) }
    }

    @Test func anEncodedBodyDecodesToItself() async throws {
        try await forAll(Self.body, runs: 100) { bytes in
            let encoded = try #require(Gzip.encode(bytes))
            let transport = ContentDecodingTransport(
                FixedTransport([.contentEncoding: "gzip"], chunks: [encoded]))
            let decoded = try await transport.send(.get).body.collect(upTo: 1 << 20)
            try require(decoded == bytes, "\(decoded.count) bytes of \(bytes.count), or others")
        }
    }

    @Test func textGetsShorter() throws {
        let text = Array(String(repeating: #"{"event":"Note Added"},"#, count: 100).utf8)
        #expect(try #require(Gzip.encode(text)).count < text.count / 10)
    }

    /// A batch has the same bytes on every attempt.
    @Test func equalBodiesHaveEqualEncodingsWithoutATime() throws {
        let encoded = try #require(Gzip.encode([1, 2, 3]))
        #expect(Gzip.encode([1, 2, 3]) == encoded)
        // RFC 1952 §2.3: the magic bytes, deflate, no flags, and an unknown time.
        #expect(encoded.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }
}
