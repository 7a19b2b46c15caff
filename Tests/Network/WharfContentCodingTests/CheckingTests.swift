import Testing
import WharfCore

@testable import WharfContentCoding

struct CheckingTests {
    private static let text = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

    private func body(
        _ chunks: [[UInt8]], _ fields: HTTPFields, method: HTTPRequest.Method = .get
    ) async throws(TransportError) -> [[UInt8]] {
        var request = TransportRequest.get
        request.head.method = method
        let response = try await ContentCheckingTransport(FixedTransport(fields, chunks: chunks)).send(request)
        var pieces: [[UInt8]] = []
        var iterator = response.body.makeAsyncIterator()
        while let piece = try await iterator.next(isolation: nil) { pieces.append(piece) }
        return pieces
    }

    private func code(_ chunks: [[UInt8]], _ fields: HTTPFields) async -> TransportError.Code? {
        do throws(TransportError) {
            _ = try await body(chunks, fields)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: Encoding.available)
    func validBodyIsPassedOnAsItIs(encoding: Encoding) async throws {
        let bytes = encoding.encode(Self.text)
        let chunks = [Array(bytes.prefix(10)), Array(bytes.dropFirst(10))]
        #expect(try await body(chunks, [.contentEncoding: encoding.name]) == chunks)
    }

    @Test(arguments: Encoding.available)
    func bodyThatEndsBeforeItsCodingFails(encoding: Encoding) async {
        let bytes = encoding.encode(Self.text)
        for count in stride(from: 1, to: bytes.count, by: 7) {
            #expect(await code([Array(bytes.prefix(count))], [.contentEncoding: encoding.name]) == .invalidResponse)
        }
    }

    @Test func garbageFailsBeforeItsEnd() async {
        #expect(await code([Array("no gzip".utf8)], [.contentEncoding: "gzip"]) == .invalidResponse)
    }

    /// A cache stores a response with its last announced byte.
    @Test func lastAnnouncedByteOfACutCodingIsNotDelivered() async throws {
        let cut = Array(try #require(Encoding.available.first { $0.name == "gzip" }).encode(Self.text).dropLast())
        let transport = ContentCheckingTransport(
            FixedTransport([.contentEncoding: "gzip"], chunks: [cut], expectedLength: Int64(cut.count)))
        var iterator = try await transport.send(.get).body.makeAsyncIterator()
        await #expect(throws: TransportError.self) { try await iterator.next(isolation: nil) }
    }

    @Test func emptyBodyIsPassedOn() async throws {
        #expect(try await body([], [.contentEncoding: "gzip"]) == [])
    }

    /// A small chunk may decode to gigabytes.
    @Test func checkEndsWithItsCancelledTask() async throws {
        let bytes = Encoding.gzip.encode([UInt8](repeating: 0, count: 1_000_000))
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await code([bytes], [.contentEncoding: "gzip"])
        }
        #expect(await reader.value == .cancelled)
    }

    @Test func bodyThatCanNotBeCheckedIsPassedOn() async throws {
        let bytes = Array("no gzip".utf8)
        let six = Array(repeating: "gzip", count: 6).joined(separator: ", ")
        #expect(try await body([bytes], [.contentEncoding: six]) == [bytes])
        #expect(try await body([bytes], [:]) == [bytes])
        #expect(try await body([bytes], [.contentEncoding: "unknown"]) == [bytes])
        #expect(try await body([bytes], [.contentEncoding: "identity"]) == [bytes])
    }
}
