#if TestServer
import FlyingSocks
import Foundation
import Synchronization
import WharfCore

/// One client's connection. It reads requests one after the other, and serves each by its route.
struct Connection: Sendable {
    let number: Int
    let socket: AsyncSocket
    let pool: Sockets
    let log: ExchangeLog
    let clock: any WallClock
    let answer: @Sendable (TestRequest) async -> TestResponse

    /// Ends the connection, because of the script or because the client has left.
    private struct Ended: Error {}

    /// Returns when the connection is closed, by either side or by cancellation.
    func run() async {
        let (incoming, source) = AsyncStream.makeStream(of: [UInt8].self)
        // Two streams between two tasks: the bytes one way, and the counts of parsed bytes back.
        // The second bounds the first.
        let (taken, credit) = AsyncStream.makeStream(of: Int.self)
        let ahead = ReadAhead(taken: taken)
        // The task reads all the time. Otherwise it would not notice that a client leaves in the
        // middle of an answer.
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await ahead.run(into: source) { try await socket.read(atMost: 4096) }
                } catch {
                    source.finish()
                }
            }
            group.addTask { await serve(incoming, credit) }
            // When either one ends, the other has no more to do.
            await group.next()
            group.cancelAll()
            // Shut down at once: a waiting read may notice its cancellation late, and the client
            // would wait as long.
            shutdown(socket.socket.file.rawValue, Int32(SHUT_RDWR))
        }
        await socket.close(in: pool)
    }

    private func serve(_ incoming: AsyncStream<[UInt8]>, _ credit: AsyncStream<Int>.Continuation) async {
        var parser = RequestParser()
        do {
            for await bytes in incoming {
                credit.yield(bytes.count)
                parser.append(bytes)
                // One read may contain several requests, as clients may pipeline them (RFC 9112
                // §9.3.2).
                reading: while true {
                    switch try parser.step() {
                    case .needsMore: break reading
                    case .sendContinue: try await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    case .request(let request): try await handle(request)
                    }
                }
            }
        } catch let malformed as MalformedRequest {
            await refuse(malformed, incoming, credit)
        } catch {
            return
        }
    }

    private func refuse(
        _ malformed: MalformedRequest, _ incoming: AsyncStream<[UInt8]>, _ credit: AsyncStream<Int>.Continuation
    ) async {
        let answer = TestResponse.text("\(malformed.reason)\n", status: malformed.status)
        guard case .bytes(let body) = answer.content else { return }
        let head = ResponseHead(answer, closes: true, at: clock.now())
        // The client may have left before this.
        do { try await write(head.bytes + body) } catch { return }
        // Ends this side only: the client can read the answer while its remaining bytes are
        // drained.
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        // Closing a socket with unread bytes resets the connection, and the client loses the answer
        // (RFC 9112 §9.6).
        var drained = 0
        for await bytes in incoming {
            credit.yield(bytes.count)
            drained += bytes.count
            // A client that never stops sending must not keep the connection.
            if drained > ReadAhead.limit { return }
        }
    }

    private func handle(_ request: TestRequest) async throws {
        var request = request
        request.connection = number
        request = log.append(request)
        let number = request.number
        do {
            let closes = try await respond(to: request)
            log.end(number, .answered)
            if closes { throw Ended() }
        } catch is Ended {
            log.end(number, .cut)
            throw Ended()
        } catch {
            log.end(number, .disconnected)
            throw error
        }
    }

    /// - Returns: whether the connection must be closed.
    private func respond(to request: TestRequest) async throws -> Bool {
        let response = try await untilCancelled { await answer(request).conditional(on: request) }
        // The interim heads of the script are complete: nothing is added to them.
        for head in response.interim { try await write(ResponseHead.bytes(head.status, head.headerFields)) }
        if let hold = response.hold { try await untilCancelled(hold) }
        switch response.delivery {
        case .close: throw Ended()
        case .hang:
            try await untilCancelled {
                let (never, _) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
            }
            throw Ended()
        case .raw:
            if case .bytes(let bytes) = response.content { try await send(bytes, request.number) }
            throw Ended()
        case .answer:
            break
        }
        let closes = response.closesAfterwards || request.fields[.connection]?.lowercased() == "close"
        let head = ResponseHead(response, closes: closes, at: clock.now())
        try await write(head.bytes)
        guard request.method != .head, head.allowsBody else { return closes }
        try await sendBody(of: response, request.number)
        return closes
    }

    private func sendBody(of response: TestResponse, _ number: Int) async throws {
        var plan = BodyPlan(cut: response.cut, holds: response.bodyHolds)
        var index = 0
        var rest: [UInt8]? = try await piece(0, of: response)
        while let bytes = rest {
            var remaining = bytes[...]
            while true {
                let step = plan.next(&remaining)
                if !step.bytes.isEmpty {
                    try await send(response.isChunked ? Self.chunk(step.bytes) : Array(step.bytes), number)
                }
                // Ends without the rest that the head has announced.
                if step.cuts { throw Ended() }
                if let hold = step.hold { try await untilCancelled(hold) }
                if remaining.isEmpty, step.hold == nil { break }
            }
            index += 1
            rest = try await piece(index, of: response)
        }
        // A cut beyond the end: all bytes are sent, but neither the last chunk nor another answer.
        if response.cut != nil { throw Ended() }
        if response.isChunked {
            try await write(Array("0\r\n\(ResponseHead.lines(of: response.trailers))\r\n".utf8))
        }
    }

    private func piece(_ index: Int, of response: TestResponse) async throws -> [UInt8]? {
        switch response.content {
        case .bytes(let bytes): index == 0 ? bytes : nil
        case .pieces(let make):
            // A body that fails while it is made is cut, so that it does not look complete.
            try await untilCancelled { () -> Result<[UInt8]?, Ended> in
                do { return .success(try await make(index)) } catch { return .failure(Ended()) }
            }.get()
        }
    }

    private static func chunk(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    private func send(_ bytes: [UInt8], _ number: Int) async throws {
        // Sent in pieces, so that the log shows the progress of a client that reads slowly.
        for start in stride(from: 0, to: bytes.count, by: 65_536) {
            let piece = bytes[start..<min(start + 65_536, bytes.count)]
            try await write(Array(piece))
            log.sent(piece.count, of: number)
            // A socket that is never full would otherwise keep the thread from other connections.
            await Task.yield()
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        try await socket.write(Data(bytes))
    }

    /// Returns the result of `work`. Throws as soon as this task is cancelled, even if `work`
    /// ignores the cancellation.
    private func untilCancelled<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async throws -> Value {
        let (results, source) = AsyncStream.makeStream(of: Value.self)
        // A task outside of this one: a child would have to be awaited, even if a handler ignores
        // its cancellation.
        let task = Task {
            source.yield(await work())
            source.finish()
        }
        let value = await withTaskCancellationHandler {
            var results = results.makeAsyncIterator()
            return await results.next()
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
        guard let value else { throw CancellationError() }
        return value
    }
}
#endif
