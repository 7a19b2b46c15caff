internal import Foundation
internal import WharfCore
internal import WharfPrimitives

/// The state of a response and its reader, as a value. Its methods return the reader to resume,
/// with its result.
struct ExchangeState {
    enum Event {
        case head(HTTPResponse)
        case chunk(Data)
        case end
    }

    typealias Reader = @Sendable (Result<Event, TransportError>) -> Void

    struct ReaderWakeup {
        fileprivate let reader: Reader
        fileprivate let result: Result<Event, TransportError>

        func perform() { reader(result) }
    }

    private enum Head {
        case awaited
        case here(HTTPResponse)
        case given
    }

    private enum End {
        case open
        case complete
        case failed(TransportError)
    }

    // Invariants: a reader waits only while there is no event for it. `end` leaves `open` once;
    // only a cancellation replaces `complete` after that. Bytes are delivered after the head and
    // before the end.
    private let method: HTTPRequest.Method
    private let bufferLimit: Int
    private var head = Head.awaited
    private var buffer: ChunkBuffer
    private var end = End.open
    private var expected: Int64?
    private var received: Int64 = 0
    private var reader: Reader?

    init(method: HTTPRequest.Method, bufferLimit: Int) {
        self.method = method
        self.bufferLimit = bufferLimit
        self.buffer = ChunkBuffer(limit: bufferLimit)
    }

    var hasHead: Bool {
        if case .awaited = head { false } else { true }
    }

    var isOpen: Bool {
        if case .open = end { true } else { false }
    }

    mutating func wants(_ reader: @escaping Reader) -> ReaderWakeup? {
        // The reader is stored first: `readerWakeup` takes it back if an event is there already.
        self.reader = reader
        return readerWakeup()
    }

    mutating func received(head: HTTPResponse) -> ReaderWakeup? {
        guard case .awaited = self.head, case .open = end else { return nil }
        self.head = .here(head)
        expected = head.announcedLength(for: method)
        // RFC 9111 §5.2.2.5: `no-store` must not reach non-volatile storage, so no file is used.
        // The head precedes the body, so no chunk is dropped here.
        if CacheControl(head.headerFields).noStore { buffer = ChunkBuffer(limit: .max) }
        return readerWakeup()
    }

    mutating func received(chunk: Data) -> Result<ReaderWakeup?, TransportError> {
        guard case .open = end, !chunk.isEmpty else { return .success(nil) }
        received += Int64(chunk.count)
        do throws(TransportError) {
            try buffer.append(chunk)
        } catch {
            return .failure(error)
        }
        return .success(readerWakeup())
    }

    mutating func completed(_ failure: TransportError?) -> ReaderWakeup? {
        guard case .open = end else { return nil }
        if let failure {
            end = .failed(failure)
        } else if let expected, received < expected {
            // A body shorter than announced is truncated, even if the session reports success.
            end = .failed(
                TransportError(
                    .connectionLost, message: "the body ended after \(received) of \(expected) bytes"))
        } else {
            end = .complete
        }
        return readerWakeup()
    }

    /// Ends it from the reader's side, and drops the buffer.
    ///
    /// - Returns: the reader to resume, and whether the exchange was still open.
    mutating func fail(_ error: TransportError) -> (ReaderWakeup?, wasOpen: Bool) {
        guard case .open = end else {
            // The network has finished. After a cancellation the rest is not needed.
            if error.code == .cancelled {
                buffer = ChunkBuffer(limit: bufferLimit)
                // A cancelled reader must not see a complete body of which it read a part.
                if case .complete = end { end = .failed(error) }
            }
            return (nil, false)
        }
        end = .failed(error)
        // The bytes are dropped here, and their file with them: no reader comes for them.
        buffer = ChunkBuffer(limit: bufferLimit)
        return (readerWakeup(), true)
    }

    private mutating func readerWakeup() -> ReaderWakeup? {
        guard let reader, let result = take() else { return nil }
        self.reader = nil
        return ReaderWakeup(reader: reader, result: result)
    }

    private mutating func take() -> Result<Event, TransportError>? {
        if case .here(let head) = head {
            self.head = .given
            return .success(.head(head))
        }
        // Bytes wait for their head.
        if hasHead {
            do throws(TransportError) {
                if let chunk = try buffer.removeFirst() { return .success(.chunk(chunk)) }
            } catch {
                return .failure(error)
            }
        }
        // The end is told after the last byte.
        switch end {
        case .open: return nil
        case .complete: return .success(.end)
        case .failed(let error): return .failure(error)
        }
    }
}
