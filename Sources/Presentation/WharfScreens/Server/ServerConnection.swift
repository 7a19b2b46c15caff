internal import Dispatch
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// One connection of a ``ScreenServer``: it reads a request, answers it and closes.
final class ServerConnection: Sendable {
    /// A request, or the reason why it is refused.
    typealias Arrival = Result<TransportRequest, ServerRequestReader.Refusal>

    // It is closed only after `unwatched`, and no call uses it later. The system may give its
    // number to another file at once.
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "wharf.screens.connection")
    // `nonisolated(unsafe)` because some SDKs do not declare sources as sendable. The source is
    // only created and cancelled.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let arrival = Promise<Arrival>()
    private let left = Promise<Void>()
    private let unwatched = Promise<Void>()
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameter timeout: the limit for the arrival of the request, for each piece of the answer,
    ///   and for the peer to close.
    init(_ descriptor: Int32, bodyLimit: Int, timeout: Duration, clock: any Clock<Duration>) {
        (self.descriptor, self.timeout, self.clock) = (descriptor, timeout, clock)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let reader = Mutex<ServerRequestReader?>(ServerRequestReader(bodyLimit: bodyLimit))
        source.setEventHandler { [source, arrival, left] in
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            switch ServerSocket.read(from: descriptor, into: &buffer) {
            case .none: return
            case .end:
                // The end of the stream stays readable, so a source that continues would spin.
                source.cancel()
                left.fulfil()
            case .bytes(let bytes):
                // Bytes after the request are dropped, because the connection closes after its
                // answer.
                reader.withLock { Self.read(bytes, &$0, descriptor, arrival) }
            }
        }
        source.setCancelHandler { [unwatched] in unwatched.fulfil() }
        source.resume()
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, _ reader: inout ServerRequestReader?, _ descriptor: Int32,
        _ arrival: Promise<Arrival>
    ) {
        do throws(ServerRequestReader.Refusal) {
            switch try reader?.append(bytes) {
            case .needsMore, nil: return
            case .sendContinue:
                // The buffer of a new connection has room for a line. If not, the sender sends its
                // body after a while anyway.
                _ = ServerSocket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...], to: descriptor)
                return
            case .request(let request): arrival.fulfil(.success(request))
            }
        } catch {
            arrival.fulfil(.failure(error))
        }
        reader = nil
    }

    /// Answers the request. Returns when the connection is closed.
    func serve(_ answer: @escaping @Sendable (Arrival) async throws(TransportError) -> TransportResponse) async {
        // Ends when the peer leaves, even if the answer is not ready.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                guard let arrival = await inTime({ await self.arrival.waitUnlessCancelled() }) else { return }
                let isWhole: Bool
                do throws(TransportError) { isWhole = try await send(try await answer(arrival), to: arrival) } catch {
                    // A broken answer must not look complete: no last chunk, no orderly shutdown.
                    isWhole = false
                }
                guard isWhole else { return }
                ServerSocket.finish(descriptor)
                // Closing a descriptor with unread bytes resets the connection, and the peer would
                // lose the answer (RFC 9112, section 9.6).
                _ = await inTime { await self.left.waitUnlessCancelled() }
            }
            group.addTask { [left] in _ = await left.waitUnlessCancelled() }
            // The first of both ends the connection: the answer is sent, or the peer has left.
            await group.next()
            group.cancelAll()
        }
        source.cancel()
        await unwatched.wait()
        ServerSocket.close(descriptor)
    }

    /// - Returns: false if the peer read too slowly or has left.
    private func send(_ response: TransportResponse, to arrival: Arrival) async throws(TransportError) -> Bool {
        var hasBody = response.head.status != .noContent
        if case .success(let request) = arrival, request.head.method == .head { hasBody = false }
        // Without a known length the body is chunked (RFC 9112 §7.1).
        let length = hasBody ? response.body.expectedLength : 0
        guard await write(response.head.bytes(length: length)) else { return false }
        guard hasBody else { return true }
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await chunks.next(isolation: nil) {
            // An empty chunk would end the body.
            if chunk.isEmpty { continue }
            let size = Array("\(String(chunk.count, radix: 16))\r\n".utf8)
            guard await write(length == nil ? size + chunk + [13, 10] : chunk) else { return false }
        }
        return length != nil ? true : await write(Array("0\r\n\r\n".utf8))
    }

    private func write(_ bytes: [UInt8]) async -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard !Task.isCancelled, let count = ServerSocket.write(rest, to: descriptor) else { return false }
            rest = rest.dropFirst(count)
            // The buffer of the system is full. Each piece has its own time, so a slow peer is not
            // taken for a lost one.
            if count == 0 { guard await inTime({ await self.untilWritable() }) != nil else { return false } }
        }
        return true
    }

    /// - Returns: nil if the task was cancelled.
    private func untilWritable() async -> Void? {
        let ended = Promise<Void>()
        // Unsafe for the same reason as `source`.
        nonisolated(unsafe) let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { source.cancel() }
        // A descriptor must not be closed while a source watches it, so this is awaited in any
        // case.
        source.setCancelHandler { ended.fulfil() }
        source.resume()
        await withTaskCancellationHandler {
            await ended.wait()
        } onCancel: {
            source.cancel()
        }
        return Task.isCancelled ? nil : ()
    }

    /// - Returns: nil if the work returns nil, or takes too long.
    private func inTime<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) async -> Value? {
        let deadline = Deadline(after: timeout, on: clock)
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // Cancelled when the work is done. The group's result is taken by then.
                do { try await deadline.wait() } catch { return nil }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
