import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

struct UploadTests {
    /// Answers with the number of bytes of the body.
    private static let counting = ClosureTransport { request throws(TransportError) in
        switch request.body {
        case .none: return .text("none")
        case .bytes(let bytes): return .text("\(bytes.count) bytes")
        case .stream(let body, let length):
            var count = 0
            for try await piece in body() { count += piece.count }
            return .text("\(count) of \(length.map { "\($0)" } ?? "unknown")")
        }
    }

    @Test func bodyArrivesWithItsLength() async throws {
        try await withGateway(over: Self.counting) { gateway in
            try await RawClient.run(gateway) { client in
                for (count, text) in [(0, "none"), (5, "5 bytes"), (200_000, "200000 of 200000")] {
                    try await client.send(
                        "PUT / HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: \(count)", "")
                    try await client.send([UInt8](repeating: 120, count: count))
                    #expect(try await client.answer().text == text)
                }
                try await client.send("PUT / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send("3;x=y", "abc", "2", "de", "0", "Trailer: dropped", "")
                #expect(try await client.answer().text == "5 of unknown")
                // The connection is still in step.
                try await client.get("/", of: gateway)
                #expect(try await client.answer().text == "none")
            }
        }
    }

    /// A short body can be sent again, if the origin has closed a kept connection.
    @Test func shortBodyIsReplayableAndLongOneIsNot() async throws {
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("bytes") }
            _ = try await body().collect()
            do throws(TransportError) {
                _ = try await body().collect()
                return .text("replayed")
            } catch {
                return .text(error.code.name)
            }
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                for (count, text) in [(65_536, "bytes"), (65_537, "bodyNotReplayable")] {
                    try await client.send(
                        "PUT / HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: \(count)", "")
                    try await client.send([UInt8](repeating: 120, count: count))
                    #expect(try await client.answer().text == text)
                }
            }
        }
    }

    /// A bound for the bytes by which the faster side of a body is ahead.
    ///
    /// The socket buffers of 64 KB take few of them, and the gateway's own buffers, which count
    /// pieces, about 7 MB. The bodies have 128 MB.
    private static let mostAhead = 16 << 20

    @Test func uploadWaitsForTheOrigin() async throws {
        let (size, total) = (64 << 10, 2_048)
        let written = Atomic(0)
        let widest = Atomic(0)
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no body") }
            var read = 0
            for try await piece in body() {
                read += piece.count
                let ahead = written.load(ordering: .sequentiallyConsistent) - read
                widest.max(ahead, ordering: .sequentiallyConsistent)
            }
            return .text("\(read)")
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway, socketBuffer: size) { client in
                try await client.send(
                    "PUT / HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: \(size * total)", "")
                let piece = [UInt8](repeating: 120, count: size)
                for _ in 0..<total {
                    try await client.push(piece)
                    written.add(size, ordering: .sequentiallyConsistent)
                }
                #expect(try await client.answer().text == "\(size * total)")
            }
        }
        #expect(widest.load(ordering: .sequentiallyConsistent) < Self.mostAhead)
    }

    @Test func downloadWaitsForTheClient() async throws {
        let (size, total) = (64 << 10, 2_048)
        let piece = [UInt8](repeating: 120, count: size)
        let pieces = Pieces { number in number < total ? piece : nil }
        let origin = ClosureTransport { _ in .stream(pieces, fields: [.contentLength: "\(size * total)"]) }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway, socketBuffer: size) { client in
                try await client.get("/", of: gateway)
                _ = try await client.head()
                var read = 0
                var widest = 0
                while read < size * total, let count = try await client.piece() {
                    widest = max(widest, pieces.count * size - read)
                    read += count
                }
                #expect(read == size * total)
                #expect(widest < Self.mostAhead, "\(widest) bytes ahead of the client")
            }
        }
    }

    @Test func continueIsSentWhenTheOriginReads() async throws {
        let gate = Gate()
        let origin = ClosureTransport { request throws(TransportError) in
            await gate.pass()
            return try await Self.counting.answer(request)
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send(
                    "PUT / HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: 100000", "Expect: 100-continue", ""
                )
                await gate.arrivals()
                gate.open()
                #expect(try await client.head().status == 100)
                try await client.send([UInt8](repeating: 120, count: 100_000))
                let answer = try await client.answer()
                #expect((answer.status, answer.text) == (200, "100000 of 100000"))
                try await client.get("/", of: gateway)
                #expect(try await client.answer().text == "none")
            }
        }
    }

    @Test func earlyAnswerIsSentWithoutContinueAndCloses() async throws {
        let origin = ClosureTransport { _ in .text("no", status: .unauthorized) }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send(
                    "PUT / HTTP/1.1", "Host: \(gateway.authority)", "Content-Length: 100000", "Expect: 100-continue", ""
                )
                let answer = try await client.answer()
                #expect((answer.status, answer["connection"]) == (401, "close"))
                // The client may have begun to send the body. It must not lose the answer by that.
                try await client.send([UInt8](repeating: 120, count: 100_000))
                #expect(try await client.rest() == [])
            }
        }
    }

    @Test func bodyThatBreaksOffDoesNotLookComplete() async throws {
        let ended = Promise<TransportError>()
        let arrived = Promise<Void>()
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no body") }
            arrived.fulfil()
            do throws(TransportError) {
                return .text("\(try await body().collect().count)")
            } catch {
                ended.fulfil(error)
                throw error
            }
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("PUT / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send("3", "abc")
                await arrived.wait()
            }
            #expect(await ended.wait().code == .cancelled)
        }
    }
}
