internal import Dispatch
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// One connection of a ``ScreenServer``: reads a request, answers it and closes.
final class ServerConnection: Sendable {
    /// The content of a request, or why it is refused.
    typealias Arrival = Result<TransportRequest, ServerRequestReader.Refusal>

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "wharf.screens.connection")
    // Unsafe because not every SDK says that a source is sendable: it is made and cancelled,
    // nothing else.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let arrival = Promise<Arrival>()
    private let left = Promise<Void>()
    private let unwatched = Promise<Void>()
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameter timeout: for the arrival of the request, for each piece of the answer, and for
    ///   the peer's farewell.
    init(_ descriptor: Int32, bodyLimit: Int, timeout: Duration, clock: any Clock<Duration>) {
        (self.descriptor, self.timeout, self.clock) = (descriptor, timeout, clock)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let reader = Mutex<ServerRequestReader?>(ServerRequestReader(bodyLimit: bodyLimit))
        source.setEventHandler { [source, arrival, left] in
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            switch ServerSocket.read(from: descriptor, into: &buffer) {
            case .none: return
            case .end:
                // The end stays readable, so a source that goes on would spin.
                source.cancel()
                left.fulfil()
            case .bytes(let bytes):
                // Bytes behind the request are dropped: the connection closes behind its answer.
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
                // A new connection has room for a line. If not, the sender sends its body after a
                // while anyway.
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
        // Ends with the peer, whatever the answer waits for.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                guard let arrival = await inTime({ await self.arrival.waitUnlessCancelled() }) else { return }
                let isWhole: Bool
                do throws(TransportError) { isWhole = try await send(try await answer(arrival), to: arrival) } catch {
                    // An answer that broke must not look whole: no last chunk, no farewell.
                    isWhole = false
                }
                guard isWhole else { return }
                ServerSocket.finish(descriptor)
                // A descriptor that is closed with unread bytes resets the connection, and the peer
                // loses the
                // answer (RFC 9112, section 9.6).
                _ = await inTime { await self.left.waitUnlessCancelled() }
            }
            group.addTask { [left] in _ = await left.waitUnlessCancelled() }
            await group.next()
            group.cancelAll()
        }
        source.cancel()
        await unwatched.wait()
        ServerSocket.close(descriptor)
    }

    /// - Returns: false when the peer took it too slowly, or has left.
    private func send(_ response: TransportResponse, to arrival: Arrival) async throws(TransportError) -> Bool {
        var hasBody = response.head.status != .noContent
        if case .success(let request) = arrival, request.head.method == .head { hasBody = false }
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
            if count == 0 { guard await inTime({ await self.untilWritable() }) != nil else { return false } }
        }
        return true
    }

    /// - Returns: nil when the task was cancelled.
    private func untilWritable() async -> Void? {
        let ended = Promise<Void>()
        // Unsafe for the same reason as `source`.
        nonisolated(unsafe) let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { source.cancel() }
        // A descriptor may be closed only when no source watches it, so this is waited for in any
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

    /// - Returns: nil also when the time is over.
    private func inTime<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) async -> Value? {
        let deadline = Deadline(after: timeout, on: clock)
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                // Cancelled when the work is done, and then nothing is to be told.
                do { try await deadline.wait() } catch { return nil }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
