import Testing
import WharfChecks
import WharfCore

@testable import WharfTestServer

struct RequestParserTests {
    private static let head = "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ body: [UInt8]) -> [UInt8] {
        Array((String(body.count, radix: 16) + ";x\r\n").utf8) + body + [13, 10]
    }

    /// The result of parsing: the requests before the end or the refusal, and the maximum memory
    /// used.
    private struct Reading: Equatable {
        var requests: [Seen] = []
        var refusal: MalformedRequest?
        var memory = 0

        struct Seen: Equatable {
            let method: HTTPRequest.Method
            let target: String
            let fields: HTTPFields
            let body: [UInt8]
            let trailers: HTTPFields
        }

        static func == (left: Reading, right: Reading) -> Bool {
            left.requests == right.requests && left.refusal == right.refusal
        }
    }

    private func read(_ pieces: some Sequence<[UInt8]>, limits: RequestLimits = RequestLimits()) throws -> Reading {
        var parser = RequestParser(limits: limits)
        var reading = Reading()
        for piece in pieces {
            try Task.checkCancellation()
            parser.append(piece)
            do throws(MalformedRequest) {
                reading: while true {
                    switch try parser.step() {
                    case .needsMore: break reading
                    case .sendContinue: continue
                    case .request(let request):
                        reading.requests.append(
                            .init(
                                method: request.method, target: request.target, fields: request.fields,
                                body: request.body, trailers: request.trailerFields))
                    }
                }
            } catch {
                reading.refusal = error
                return reading
            }
            reading.memory = max(reading.memory, parser.byteCount)
        }
        return reading
    }

    private func read(_ text: String) throws -> Reading { try read([Array(text.utf8)]) }

    private static func split(_ bytes: [UInt8], _ sizes: [Int]) -> [[UInt8]] {
        var rest = bytes[...]
        var pieces: [[UInt8]] = []
        for size in sizes {
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces + [Array(rest)]
    }

    private static let sizes = Generator.array(of: .int(in: 1...30), count: 0...40)

    @Test func chunkedBodyIsReadAlikeForAnySplit() async throws {
        let byte = Generator.element(of: [UInt8(ascii: "a"), 13, 10, UInt8(ascii: "0"), 0, 255])
        let request = Generator.array(of: .array(of: byte, count: 1...20), count: 0...5)
        let uploads = Generator.zip(Generator.array(of: request, count: 1...3), Self.sizes)
        try await forAll(uploads, runs: 300) { requests, sizes in
            let bytes = requests.flatMap { Array(Self.head.utf8) + ($0 + [[]]).flatMap(Self.chunk) }
            let found = try read(Self.split(bytes, sizes)).requests.map(\.body)
            try require(found == requests.map { Array($0.joined()) }, "found \(found)")
        }
    }

    /// A parser that starts over with each piece would exceed the suite's time limit.
    @Test func longUploadOfManyChunksIsReadWithinTheTimeLimit() throws {
        let chunks = Array(repeating: Self.chunk(Array(repeating: 7, count: 8)), count: 25).flatMap { $0 }
        let pieces = [Array(Self.head.utf8)] + Array(repeating: chunks, count: 4_000) + [Self.chunk([])]
        #expect(try read(pieces).requests.map(\.body) == [Array(repeating: 7, count: 800_000)])
    }

    // MARK: Trailers

    @Test func trailersEndARequestAndTheNextOneIsRead() throws {
        let reading = try read(
            "\(Self.head)2\r\nhi\r\n0;last\r\nServer-Timing: db \r\nX: 1\r\nX: 2\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
        #expect(reading.refusal == nil)
        #expect(reading.requests.map(\.target) == ["/a?b", "/next"])
        let first = try #require(reading.requests.first)
        #expect(first.body == Array("hi".utf8))
        #expect(first.trailers == [.init("Server-Timing")!: "db", .init("X")!: "1", .init("X")!: "2"])
        #expect(first.fields[.init("X")!] == nil)
        #expect(reading.requests.last?.trailers == [:])
    }

    // MARK: Refusals

    @Test(arguments: [
        "Content-Length: 2\r\nTransfer-Encoding: chunked", "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: 2, 3", "Content-Length: +2", "Content-Length: -1", "Content-Length: 0x2", "Content-Length: ",
        "Content-Length: 2 2", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked, gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: ", "Transfer-Encoding: gzip",
        "X : 1", "X", ": 1", "X: 1\r\n folded: 2", "X: a\nY: b", "X: a\0b", "X: a\rb",
    ])
    func aHeadOfDoubtfulFramingIsRefused(fields: String) throws {
        let reading = try read("POST / HTTP/1.1\r\n\(fields)\r\n\r\n")
        #expect(reading.requests.isEmpty)
        #expect(reading.refusal?.status == .badRequest)
    }

    @Test(arguments: [
        "GET / HTTP/2.0", "GET /", "GET  / HTTP/1.1", "GET / x HTTP/1.1", "G(T / HTTP/1.1", "GET /\u{1} HTTP/1.1",
        "GET / HTTP/1.10", "GET / http/1.1", "\u{16}\u{3}", "GET /a\tb HTTP/1.1",
    ])
    func aLineThatIsNoRequestIsRefused(line: String) throws {
        #expect(try read("\(line)\r\nHost: h\r\n\r\n").refusal?.status == .badRequest)
    }

    @Test(arguments: [
        "zz\r\n", "+2\r\nhi\r\n", "-0\r\n", "\r\n", ";x\r\n", "2 \r\nhi\r\n", " 2\r\nhi\r\n", "0x2\r\nhi\r\n",
        "2\r\nhi!\r\n", "2\r\nhi\n\n", "0\r\nX\r\n\r\n", "2;\u{1}\r\nhi\r\n",
    ])
    func aChunkWithoutASizeOrAnEndIsRefused(chunk: String) throws {
        let reading = try read(Self.head + chunk + "0\r\n\r\n")
        #expect(reading.requests.isEmpty)
        #expect(reading.refusal?.status == .badRequest)
    }

    @Test func transferEncodingWithHTTP10IsRefused() throws {
        let reading = try read("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(reading.refusal?.status == .badRequest)
    }

    @Test func anUnknownTransferCodingIsNotImplemented() throws {
        let reading = try read("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
        #expect(reading.refusal?.status == .notImplemented)
    }

    @Test func repeatedEqualLengthsAreAccepted() throws {
        let reading = try read("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nhi")
        #expect(reading.requests.map(\.body) == [Array("hi".utf8)])
    }

    @Test func emptyLinesBeforeARequestAreSkipped() throws {
        let reading = try read("\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\nGET /2 HTTP/1.0\r\n\r\n")
        #expect(reading.requests.map(\.target) == ["/", "/2"])
    }

    @Test func aRefusalQuotesNeitherTargetNorValues() throws {
        for text in [
            "GET /?secret=1 x HTTP/1.1\r\n\r\n", "GET /?secret=1\u{1} HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nX: secret\0\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: secret\r\n\r\n",
            "GET / HTTP/1.1\r\nsecret 1\r\n\r\n", "\(Self.head)secret\r\n",
        ] {
            let refusal = try #require(try read(text).refusal)
            #expect(!refusal.reason.contains("secret"))
        }
    }

    // MARK: Limits

    private static let limits = RequestLimits(fieldBytes: 100, chunkLineBytes: 20, bodyBytes: 50)

    @Test(arguments: [
        ("GET /\(String(repeating: "a", count: 200)) HTTP/1.1\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 200))", 431),
        ("POST / HTTP/1.1\r\nContent-Length: 51\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("\(head)1e\r\n\(String(repeating: "a", count: 30))\r\n1e\r\n", 413), ("\(head)fffffffffffffffff\r\n", 413),
        ("\(head)1;\(String(repeating: "a", count: 30))", 400),
        ("\(head)0\r\nX: \(String(repeating: "a", count: 200))", 431),
    ])
    func requestBeyondItsLimitsIsRefused(text: String, status: Int) throws {
        let bytes = Array(text.utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
            let reading = try read(pieces, limits: Self.limits)
            #expect(reading.requests.isEmpty)
            #expect(reading.refusal?.status.code == status)
        }
    }

    @Test func aHeadAtItsLimitIsRead() throws {
        let text = "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 77))\r\n\r\n"
        #expect(text.utf8.count == 100)
        #expect(try read([Array(text.utf8)], limits: Self.limits).requests.count == 1)
        #expect(try read(text.utf8.map { [$0] }, limits: Self.limits).requests.count == 1)
    }

    // MARK: Mutations

    private enum Mutation: Sendable {
        case flip(place: Int, bit: Int)
        case remove(place: Int, count: Int)
        case `repeat`(place: Int, count: Int)
        case insert(place: Int, text: String)

        static let any = Generator<Mutation>.oneOf(
            numbers(1...8).map { .flip(place: $0, bit: $1 - 1) },
            numbers(1...40).map { .remove(place: $0, count: $1) },
            numbers(1...40).map { .repeat(place: $0, count: $1) },
            numbers(1...insertions.count).map { .insert(place: $0, text: insertions[$1 - 1]) })

        private static let insertions = [
            "\r\n", "\n", "\r", "0", "ffffffff", ";", ":", " ", "\0", "Content-Length: 3\r\n", "é",
        ]

        /// A position, and a number of that range.
        private static func numbers(_ range: ClosedRange<Int>) -> Generator<(Int, Int)> {
            Generator<(Int, Int)>.zip(Generator.int(in: 0...400), Generator.int(in: range))
        }

        func apply(to bytes: inout [UInt8]) {
            guard !bytes.isEmpty else { return }
            switch self {
            case .flip(let place, let bit): bytes[place % bytes.count] ^= 1 << UInt8(bit)
            case .remove(let place, let count):
                let start = place % bytes.count
                bytes.removeSubrange(start..<min(start + count, bytes.count))
            case .repeat(let place, let count):
                let start = place % bytes.count
                let part = Array(bytes[start..<min(start + count, bytes.count)])
                bytes.insert(contentsOf: part, at: start)
            case .insert(let place, let text): bytes.insert(contentsOf: text.utf8, at: place % bytes.count)
            }
        }
    }

    private static let messages = [
        "\(head)2\r\nhi\r\n0\r\nServer-Timing: db\r\n\r\n", "\(head)a;x=\"y\"\r\n0123456789\r\n0\r\n\r\n",
        "PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
        "GET /?q=1 HTTP/1.0\r\nAccept: */*\r\n\r\n", "\r\nDELETE /é HTTP/1.1\r\nX: \t y \r\n\r\n",
    ].map { Array($0.utf8) }

    /// If the result of a parser depended on the split, it could read a request that its sender did
    /// not write.
    @Test func mutatedRequestsAreReadAlikeForAnySplit() async throws {
        let inputs = Generator.zip(
            Generator.array(of: .element(of: Self.messages), count: 1...4),
            Generator.array(of: Mutation.any, count: 0...4), Self.sizes)
        try await forAll(inputs, runs: 3000) { messages, mutations, sizes in
            var bytes = Array(messages.joined())
            for mutation in mutations { mutation.apply(to: &bytes) }
            let limits = RequestLimits(fieldBytes: 120, chunkLineBytes: 16, bodyBytes: 40)
            let whole = try read([bytes], limits: limits)
            let split = try read(Self.split(bytes, sizes), limits: limits)
            let single = try read(bytes.map { [$0] }, limits: limits)
            try require(split == whole && single == whole, "whole: \(whole), split: \(split), single: \(single)")
            try require(single.memory <= 120 + 40, "kept \(single.memory) bytes")
        }
    }
}
