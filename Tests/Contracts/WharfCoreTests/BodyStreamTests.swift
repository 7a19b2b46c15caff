import Synchronization
import Testing
import WharfCore

@Suite struct BodyStreamTests {
    @Test func aBodyIsReadOnce() async throws {
        let body = BodyStream(Array("hello".utf8))
        #expect(try await body.collect() == Array("hello".utf8))
        #expect(try await body.collect() == [])
    }

    @Test(arguments: [0, 1, 2, 5])
    func chunksComeInOrder(count: Int) async throws {
        let chunks = (0..<count).map { [UInt8($0), 255] }
        let producer = Producer(chunks)
        var seen: [[UInt8]] = []
        for try await chunk in BodyStream(producer) { seen.append(chunk) }
        #expect(seen == chunks)
    }

    @Test func aBodyOverTheLimitIsRefusedBeforeMoreIsRead() async throws {
        let producer = Producer(Array(repeating: [1, 2, 3, 4], count: 10))
        await #expect { try await BodyStream(producer).collect(upTo: 10) } throws: { error in
            (error as? TransportError)?.code == .tooLarge
        }
        #expect(producer.given == 3)
    }

    @Test func anAnnouncedLengthOverTheLimitIsRefusedUnread() async throws {
        let producer = Producer([[1]])
        await #expect { try await BodyStream(producer, expectedLength: 11).collect(upTo: 10) } throws: { error in
            (error as? TransportError)?.code == .tooLarge
        }
        #expect(producer.given == 0)
    }

    @Test func aBodyOfExactlyTheLimitIsRead() async throws {
        let body = BodyStream(Producer([[1, 2], [3, 4]]), expectedLength: 4)
        #expect(try await body.collect(upTo: 4) == [1, 2, 3, 4])
    }

    @Test func trailersAreThoseOfABodyThatWasReadToItsEnd() async throws {
        let body = BodyStream(Producer([[1], [2]], trailers: [.via: "last"]))
        var chunks = body.makeAsyncIterator()
        for _ in 1...2 {
            #expect(try await chunks.next() != nil)
            #expect(body.trailers == nil)
        }
        #expect(try await chunks.next() == nil)
        #expect(body.trailers == [.via: "last"])
    }

    @Test func aBodyOfKnownBytesHasNoTrailers() async throws {
        let body = BodyStream([1])
        _ = try await body.collect()
        #expect(body.trailers == nil)
    }

    @Test func releasedBodyCancelsItsProducer() async throws {
        let producer = Producer([[1], [2]])
        do {
            var chunks = BodyStream(producer).makeAsyncIterator()
            _ = try await chunks.next()
            #expect(producer.isCancelled == false)
        }
        #expect(producer.isCancelled)
    }
}

private final class Producer: BodyStream.Producer {
    private struct State {
        var rest: ArraySlice<[UInt8]>
        var given = 0
        var cancelled = false
    }

    private let state: Mutex<State>
    let trailers: HTTPFields?

    init(_ chunks: [[UInt8]], trailers: HTTPFields? = nil) {
        state = Mutex(State(rest: chunks[...]))
        self.trailers = trailers
    }

    var given: Int { state.withLock { $0.given } }
    var isCancelled: Bool { state.withLock { $0.cancelled } }

    func next() async throws(TransportError) -> [UInt8]? {
        state.withLock { state in
            state.given += 1
            return state.rest.popFirst()
        }
    }

    func cancel() { state.withLock { $0.cancelled = true } }
}
