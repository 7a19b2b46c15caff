import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRandom

@testable import WharfContentCoding

struct DecodingTests {
    /// Decodes chunks as a transport's reader does.
    private func decode(_ chunks: [[UInt8]], _ coding: String) async throws(TransportError) -> [UInt8] {
        let transport = ContentDecodingTransport(FixedTransport([.contentEncoding: coding], chunks: chunks))
        return try await transport.send(.get).body.collect()
    }

    private func code(_ chunks: [[UInt8]], _ coding: String) async -> TransportError.Code? {
        do throws(TransportError) {
            _ = try await decode(chunks, coding)
            return nil
        } catch {
            return error.code
        }
    }

    /// Compressible text, and incompressible bytes.
    private static let body: Generator<[UInt8]> = Generator { choices in
        let length = try choices.draw(.int(in: 0...3000))
        let most = try choices.draw(.element(of: [UInt8(3), 255]))
        let seed = try choices.draw(.int(in: UInt64(0)...UInt64.max))
        var random = SeededGenerator(seed: seed)
        return (0..<length).map { _ in UInt8.random(in: 0...most, using: &random) }
    }

    private static func split(_ bytes: [UInt8], at places: [Int]) -> [[UInt8]] {
        let places = [0] + places.map { min($0, bytes.count) }.sorted() + [bytes.count]
        return zip(places, places.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    @Test func thisSystemHasAllEncoders() { #expect(Encoding.available == Encoding.allCases) }

    @Test(arguments: Encoding.available)
    func anySplitDecodesToTheBytes(encoding: Encoding) async throws {
        let input = Generator.zip(Self.body, .array(of: .int(in: 0...3000), count: 0...5))
        try await forAll(input, runs: 200) { bytes, places in
            let decoded = try await decode(Self.split(encoding.encode(bytes), at: places), encoding.name)
            try require(decoded == bytes, "\(decoded.count) bytes of \(bytes.count), or others")
        }
    }

    /// A cache below would keep the bytes otherwise. With two codings the inner body has them.
    @Test(arguments: ["gzip", "deflate, gzip", "gzip, deflate"])
    func invalidBytesAreRejected(coding: String) async {
        let inner = Encoding.gzip.encode(Array("no coding".utf8))
        let chunks = coding == "deflate, gzip" ? [inner] : [Array("no coding".utf8)]
        let source = RejectedChunks(chunks)
        let response = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: coding]), body: BodyStream(source),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        await #expect(throws: TransportError.self) {
            try await ContentDecoding.takesOff.apply(to: response, for: .get).body.collect()
        }
        #expect(source.rejection.value?.code == .invalidResponse)
    }

    @Test func bodyThatEndsWithinItsCodingIsRejected() async throws {
        let source = RejectedChunks([Array(Encoding.gzip.encode(Array("no coding".utf8)).dropLast())])
        let response = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), body: BodyStream(source),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        await #expect(throws: TransportError.self) {
            try await ContentDecoding.takesOff.apply(to: response, for: .get).body.collect()
        }
        #expect(source.rejection.value?.code == .connectionLost)
    }

    @Test(arguments: Encoding.available)
    func aCutAtAnyPositionNeverCompletes(encoding: Encoding) async throws {
        for bytes in [[], Array("hello world".utf8), (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }] {
            let whole = encoding.encode(bytes)
            for count in 0..<whole.count {
                let code = await code([Array(whole.prefix(count))], encoding.name)
                #expect(code == .connectionLost, "\(count) of \(whole.count) bytes")
            }
        }
    }

    @Test(arguments: Encoding.available)
    func bytesBehindTheEndAreRefused(encoding: Encoding) async {
        let whole = encoding.encode(Array("hello".utf8))
        for rest in [[UInt8(0)], Array("garbage behind".utf8)] {
            let together = await code([whole + rest], encoding.name)
            let apart = await code([whole, rest], encoding.name)
            // The start of another member or frame may be cut off. It is never taken for the end.
            #expect([.invalidResponse, .connectionLost].contains(together))
            #expect([.invalidResponse, .connectionLost].contains(apart))
        }
        #expect(await code([whole + Array("garbage behind".utf8)], encoding.name) == .invalidResponse)
    }

    @Test(arguments: Encoding.available)
    func garbageIsRefused(encoding: Encoding) async {
        let garbage = Array("<!doctype html><title>502 Bad Gateway</title>".utf8)
        #expect(await code([garbage], encoding.name) == .invalidResponse)
    }

    @Test(arguments: [Encoding.gzip, .zlib])
    func aChangedBitNeverDecodesToOtherBytes(encoding: Encoding) async {
        let whole = encoding.encode(Array("the checksum tells".utf8))
        for position in whole.indices {
            for bit in 0..<8 {
                var changed = whole
                changed[position] ^= 1 << UInt8(bit)
                do throws(TransportError) {
                    let decoded = try await decode([changed], encoding.name)
                    #expect(decoded == Array("the checksum tells".utf8), "byte \(position), bit \(bit)")
                } catch {
                    continue
                }
            }
        }
    }

    @Test(arguments: [Encoding.gzip, .zstd])
    func membersDecodeOneAfterAnother(encoding: Encoding) async throws {
        let (first, second) = (encoding.encode(Array("hello ".utf8)), encoding.encode(Array("world".utf8)))
        for chunks in [[first + second], [first, second], [first + second.prefix(3), Array(second.dropFirst(3))]] {
            #expect(try await decode(chunks, encoding.name) == Array("hello world".utf8))
        }
        #expect(await code([first + second.prefix(3)], encoding.name) == .connectionLost)
    }

    @Test func stackedCodingsDecodeInReverse() async throws {
        let bytes = Array("stacked".utf8)
        let encoded = Encoding.brotli.encode(Encoding.zlib.encode(Encoding.gzip.encode(bytes)))
        #expect(try await decode([encoded], "gzip, deflate,, identity, BR") == bytes)
        for count in 0..<encoded.count {
            #expect(await code([Array(encoded.prefix(count))], "gzip, deflate, br") == .connectionLost)
        }
    }

    @Test func sixCodingsAreRefused() async {
        #expect(await code([[1]], "gzip, gzip, gzip, gzip, gzip, gzip") == .invalidResponse)
    }

    @Test func aSecondPassOverABrokenBodyThrowsAgain() async throws {
        let cut = Array(Encoding.gzip.encode(Array("hello".utf8)).dropLast())
        let body = try await ContentDecodingTransport(FixedTransport([.contentEncoding: "gzip"], chunks: [cut])).send(
            .get
        )
        .body
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) { try await body.collect() }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test func aBombIsReadNoFurtherThanTheLimit() async throws {
        // 64 MB of zeros in 64 KB.
        let bomb = Encoding.gzip.encode([UInt8](repeating: 0, count: 64 << 20))
        let chunks = Chunks(
            stride(from: 0, to: bomb.count, by: 1024).map { Array(bomb[$0..<min($0 + 1024, bomb.count)]) })
        let response = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), body: BodyStream(chunks),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        let body = try ContentDecoding.takesOff.apply(to: response, for: .get).body
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 100_000) }
        #expect(error?.code == .tooLarge)
        #expect(chunks.taken == 1, "one chunk holds more than the limit")
    }

    @Test func brokenBodyCancelsTheEncodedBody() async throws {
        let chunks = Chunks([Array("no gzip".utf8), [1], [2]])
        let response = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"]), body: BodyStream(chunks),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        let body = try ContentDecoding.takesOff.apply(to: response, for: .get).body
        await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(chunks.isCancelled)
    }

    @Test(arguments: BodyProducerLaws.all)
    func theDecodedBodyKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        try await law.check(
            .init("a decoded body") { bytes in
                let chunks = Self.split(Encoding.gzip.encode(bytes), at: [1, 1000, 20_000, 100_000])
                return DecodedBody(BodyStream(Chunks(chunks)), without: .gzip)
            })
    }
}

extension TransportRequest {
    static let get = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))
}
