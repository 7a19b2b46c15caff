import Synchronization
import Testing
import WharfCore
import WharfJSON
import WharfTesting

@testable import WharfHTTP

/// How the chunks of a body become what a decoding reads.
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
    func aBodyIsWholeWhateverLengthWasAnnounced(_ announced: Int64?) async throws {
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

    @Test func aBodyThatIsHereAlreadyIsOneChunk() async throws {
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

private final class Chunks: BodyStream.Producer {
    private let rest: Mutex<[[UInt8]]>

    init(_ chunks: [[UInt8]]) { rest = Mutex(chunks.reversed()) }

    func next() async throws(TransportError) -> [UInt8]? { rest.withLock { $0.popLast() } }
    func cancel() {}
}
