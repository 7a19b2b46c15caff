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

    struct Wakening {
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

    mutating func wants(_ reader: @escaping Reader) -> Wakening? {
        self.reader = reader
        return wakening()
    }

    mutating func received(head: HTTPResponse) -> Wakening? {
        guard case .awaited = self.head, case .open = end else { return nil }
        self.head = .here(head)
        expected = head.announcedLength(for: method)
        if CacheControl(head.headerFields).noStore { buffer = ChunkBuffer(limit: .max) }
        return wakening()
    }

    mutating func received(chunk: Data) -> Result<Wakening?, TransportError> {
        guard case .open = end, !chunk.isEmpty else { return .success(nil) }
        received += Int64(chunk.count)
        do throws(TransportError) {
            try buffer.append(chunk)
        } catch {
            return .failure(error)
        }
        return .success(wakening())
    }

    mutating func completed(_ failure: TransportError?) -> Wakening? {
        guard case .open = end else { return nil }
        if let failure {
            end = .failed(failure)
        } else if let expected, received < expected {
            end = .failed(
                TransportError(
                    .connectionLost, message: "the body ended after \(received) of \(expected) bytes"))
        } else {
            end = .complete
        }
        return wakening()
    }

    /// Ends it from the reader's side, and drops the buffer.
    ///
    /// - Returns: the reader to resume, and whether the exchange was still open.
    mutating func fail(_ error: TransportError) -> (Wakening?, wasOpen: Bool) {
        guard case .open = end else {
            // The network has finished. After a cancellation the rest is not needed.
            if error.code == .cancelled {
                buffer = ChunkBuffer(limit: bufferLimit)
                if case .complete = end { end = .failed(error) }
            }
            return (nil, false)
        }
        end = .failed(error)
        buffer = ChunkBuffer(limit: bufferLimit)
        return (wakening(), true)
    }

    private mutating func wakening() -> Wakening? {
        guard let reader, let result = take() else { return nil }
        self.reader = nil
        return Wakening(reader: reader, result: result)
    }

    private mutating func take() -> Result<Event, TransportError>? {
        if case .here(let head) = head {
            self.head = .given
            return .success(.head(head))
        }
        if hasHead {
            do throws(TransportError) {
                if let chunk = try buffer.removeFirst() { return .success(.chunk(chunk)) }
            } catch {
                return .failure(error)
            }
        }
        switch end {
        case .open: return nil
        case .complete: return .success(.end)
        case .failed(let error): return .failure(error)
        }
    }
}
