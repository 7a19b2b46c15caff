import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

struct SlowClientTests {
    private let clock = TestClock()

    /// Ends the current wait of the watch. A client is stalled if it made no step during a wait.
    private func wait() async {
        await clock.untilSleeping()
        clock.advance(by: GatewayConfiguration().clientTimeout)
    }

    /// Ends one wait of the watch after another, until the returned task is cancelled.
    private func passTime() -> Task<Void, Never> {
        Task { [clock] in
            while !Task.isCancelled {
                if clock.sleepers > 0 { clock.advance(by: GatewayConfiguration().clientTimeout) }
                await Task.yield()
            }
        }
    }

    @Test func idleConnectionIsClosed() async throws {
        try await withGateway(over: RecordingTransport(), clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                #expect(try await client.answer().status == 200)
                // The client may have the answer before its end counts as a step.
                let passing = passTime()
                #expect(try await client.rest() == [])
                passing.cancel()
            }
        }
    }

    /// Each line of the head is sent in time, and the head has no end.
    @Test func headWithoutAnEndIsClosed() async throws {
        try await withGateway(over: RecordingTransport(), clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("GET / HTTP/1.1", "Host: \(gateway.authority)")
                await clock.untilSleeping()
                clock.advance(by: .seconds(29))
                try await client.send("X: y")
                await wait()
                #expect(try await client.restOrReset() == [])
            }
        }
    }

    @Test func bodyThatStallsIsAnsweredWith408() async throws {
        let arrived = Promise<Void>()
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no body") }
            for try await _ in body() { arrived.fulfil() }
            return .text("complete")
        }
        try await withGateway(over: origin, clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("PUT / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send("3", "abc")
                await arrived.wait()
                // The origin may have the piece before it counts as a step.
                let passing = passTime()
                let answer = try await client.answer()
                #expect((answer.status, answer["connection"]) == (408, "close"))
                #expect(try await client.rest() == [])
                passing.cancel()
            }
        }
    }

    /// The origin's pace is not the client's fault.
    @Test func clientThatWaitsForTheOriginIsKept() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        try await withGateway(over: origin, clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                await gate.arrivals()
                for _ in 0..<5 { await wait() }
                await clock.untilSleeping()
                gate.open()
                #expect(try await client.answer().text == "late")
            }
        }
    }

    @Test func clientThatDoesNotReadIsClosed() async throws {
        let piece = [UInt8](repeating: 120, count: 64 << 10)
        let over = Promise<Void>()
        let pieces = EndlessBody(piece, over)
        let origin = ClosureTransport { _ in .stream(pieces) }
        try await withGateway(over: origin, clock: clock) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                #expect(try await client.head().status == 200)
                // Steps until the buffers of both sockets are full.
                while over.value == nil {
                    if clock.sleepers > 0 { clock.advance(by: .seconds(30)) }
                    await Task.yield()
                }
            }
        }
    }
}

/// A body without an end, which tells when its reader stops.
private final class EndlessBody: BodyStream.Producer {
    private let piece: [UInt8]
    private let over: Promise<Void>

    init(_ piece: [UInt8], _ over: Promise<Void>) {
        self.piece = piece
        self.over = over
    }

    func next() async throws(TransportError) -> [UInt8]? { piece }

    func cancel() { over.fulfil() }
}
