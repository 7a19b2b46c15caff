import Synchronization
import Testing
import WharfCore
import WharfJSON

@testable import WharfHTTP

/// The collection of a body's chunks for a decoder.
@Suite struct CollectingTests {
    private let chunks: [[UInt8]] = ["[1, ", "2, 3", ", 4", "]"].map { Array($0.utf8) }

    private func collected(announced: Int64?, limit: Int = 100, asJSON: Bool = true) async throws -> String {
        let body = try await Body(
            BodyStream(Chunks(chunks), expectedLength: announced), upTo: limit, asJSON: asJSON)
        switch body {
        case .json(let bytes): return String(decoding: bytes.array, as: UTF8.self)
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [nil, 0, 3, 12, 100] as [Int64?])
    func bodyIsCollectedWholeForAnyAnnouncedLength(_ announced: Int64?) async throws {
        #expect(try await collected(announced: announced) == "[1, 2, 3, 4]")
        #expect(try await collected(announced: announced, asJSON: false) == "[1, 2, 3, 4]")
    }

    @Test(arguments: [true, false])
    func aBodyBeyondTheLimitIsNotCollected(_ asJSON: Bool) async throws {
        #expect(try await collected(announced: nil, limit: 12, asJSON: asJSON) == "[1, 2, 3, 4]")
        let late = await #expect(throws: TransportError.self) {
            try await collected(announced: nil, limit: 11, asJSON: asJSON)
        }
        #expect(late?.code == .tooLarge)
        let early = await #expect(throws: TransportError.self) {
            try await collected(announced: 12, limit: 11, asJSON: asJSON)
        }
        #expect(early?.code == .tooLarge)
        #expect(early?.message.contains("12 bytes are announced") == true)
    }

    @Test(arguments: [nil, 12] as [Int64?])
    func networkBytesAreCopiedOnce(_ announced: Int64?) async throws {
        let pieces = Pieces(chunks)
        let body = try await Body(BodyStream(pieces, expectedLength: announced), upTo: 100, asJSON: true)
        guard case .json(let bytes) = body else { return #expect(Bool(false), "expected JSON, found \(body)") }
        #expect(bytes.array == chunks.flatMap { $0 })
        #expect(pieces.bytesCopied == bytes.count)
        #expect(pieces.arraysMade == 0)
    }

    @Test func inMemoryBodyIsCollectedAsJSON() async throws {
        let body = try await Body(BodyStream(Array("{}".utf8)), upTo: 10, asJSON: true)
        guard case .json(let bytes) = body else { return #expect(Bool(false), "expected JSON, found \(body)") }
        #expect(bytes.array == Array("{}".utf8))
    }

    @Test func anEndlessBodyIsLetGoAtTheLimit() async throws {
        let endless = EndlessBody(chunk: Array(repeating: 0x20, count: 1000))
        let transport = BodyTransport(status: .ok) { BodyStream(endless) }
        var request = Request<[Int]>.get("x")
        request.maximumBodyBytes = 10_000
        let snapshot = try await APIClient.testing(transport).snapshot(request)
        #expect(snapshot.error?.code == .tooLarge)
        #expect(endless.pulled == 11)
        #expect(endless.isLetGo)
    }
}

/// Counts the bytes that are copied from it, and the arrays that it had to make.
private final class Pieces: PieceProducer {
    private struct State {
        var rest: [[UInt8]]
        var bytesCopied = 0
        var arraysMade = 0
    }

    private let state: Mutex<State>

    init(_ chunks: [[UInt8]]) { state = Mutex(State(rest: chunks.reversed())) }

    var bytesCopied: Int { state.withLock { $0.bytesCopied } }
    var arraysMade: Int { state.withLock { $0.arraysMade } }

    func next() async throws(TransportError) -> [UInt8]? {
        state.withLock { state in
            state.arraysMade += 1
            return state.rest.popLast()
        }
    }

    func nextPiece() async throws(TransportError) -> BodyPiece? {
        guard let chunk = state.withLock({ $0.rest.popLast() }) else { return nil }
        return BodyPiece(count: chunk.count) { target in
            target.copyBytes(from: chunk)
            self.state.withLock { $0.bytesCopied += target.count }
        }
    }

    func cancel() {}
}

private final class Chunks: BodyStream.Producer {
    private let rest: Mutex<[[UInt8]]>

    init(_ chunks: [[UInt8]]) { rest = Mutex(chunks.reversed()) }

    func next() async throws(TransportError) -> [UInt8]? { rest.withLock { $0.popLast() } }
    func cancel() {}
}
