import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// Event streams whose connection stays open but sends nothing more.
struct SilentEventsTests {
    /// Answers each request with the chunks of the next script, followed by silence. For a nil
    /// script it never answers.
    private final class SilentTransport: Transport {
        private let scripts: Mutex<ArraySlice<[String]?>>
        /// An element for each time that a connection falls silent.
        let silences: AsyncStream<Void>
        private let fallsSilent: AsyncStream<Void>.Continuation

        init(_ scripts: [[String]?]) {
            self.scripts = Mutex(scripts[...])
            (silences, fallsSilent) = AsyncStream.makeStream()
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard let chunks = scripts.withLock({ $0.popFirst() }) ?? nil else { return try await never() }
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
            let body = BodyStream(Chunks(chunks, then: self))
            return TransportResponse(
                head: head, body: body, provenance: Provenance(source: .network, asOf: WallTime(nanoseconds: 0)))
        }

        /// Ends only if the task is cancelled.
        func never<Value>() async throws(TransportError) -> Value {
            fallsSilent.yield()
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
            throw TransportError(.cancelled, message: "scripted: cancelled")
        }
    }

    private final class Chunks: BodyStream.Producer {
        private let rest: Mutex<ArraySlice<String>>
        private let transport: SilentTransport

        init(_ chunks: [String], then transport: SilentTransport) {
            rest = Mutex(chunks[...])
            self.transport = transport
        }

        func next() async throws(TransportError) -> [UInt8]? {
            if let chunk = rest.withLock({ $0.popFirst() }) { return Array(chunk.utf8) }
            return try await transport.never()
        }

        func cancel() {}
    }

    @Test func aSilentConnectionIsOpenedAgain() async throws {
        let clock = TestClock()
        let transport = SilentTransport([nil, ["data: first\n\n", ": a sign of life\n\n"], ["data: second\n\n"]])
        let client = APIClient(environment: try APIEnvironment("http://127.0.0.1:1"), transport: transport)
        let events = try client.events("events", silence: .seconds(60), timer: clock)
        let read = Task {
            var read: [String] = []
            for try await event in events {
                read.append(event.data)
                if read.count == 2 { break }
            }
            return read
        }
        var silences = transport.silences.makeAsyncIterator()
        for _ in 0..<2 {
            await silences.next()
            await clock.untilSleeping()
            clock.advance(by: .seconds(60))
            // Waits for the pause before the next connection.
            await clock.untilSleeping()
            clock.advance(by: .seconds(3_600))
        }
        #expect(try await read.value == ["first", "second"])
    }
}
