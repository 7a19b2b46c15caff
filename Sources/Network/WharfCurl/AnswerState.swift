#if os(Linux)
internal import WharfCore

/// The state of one response: its head, and the bytes that its reader has not taken yet.
///
/// Invariants:
/// - A reader waits only while the buffer is empty and there is no end.
/// - The transfer is paused only while the buffer is full or not taken yet.
/// - After the end the only change is that the buffer empties.
///
/// A transition returns the work that its caller must do after it has released the lock: resuming a
/// continuation under the lock could deadlock.
struct AnswerState {
    typealias HeadReader = @Sendable (Result<HTTPResponse, TransportError>) -> Void
    typealias PieceReader = @Sendable (Result<[UInt8]?, TransportError>) -> Void

    /// The result of receiving a piece.
    enum Reception {
        /// The piece goes to the waiting reader, or into the buffer.
        case taken(PieceReader?)
        /// libcurl keeps the piece, stops reading from the socket, and passes the piece again after
        /// it is resumed.
        case paused
        /// The exchange is over.
        case refused
    }

    enum Reading {
        /// - Parameter resumes: whether the paused transfer must be resumed.
        case piece([UInt8], resumes: Bool)
        case end(Result<Void, TransportError>)
        case nothingYet
    }

    /// The waiting readers to notify of the end.
    struct Ending {
        var head: HeadReader?
        var piece: PieceReader?
    }

    /// More than one of libcurl's pieces (16 KB), and small enough for a thousand concurrent
    /// responses.
    static let bufferLimit = 128 << 10

    // Interim heads and the final one, in order. A head stays here for a reader that asks after it
    // has arrived. The head parser's limit bounds them.
    private var heads: [HTTPResponse] = []
    /// The fields after the body. They are set before the end, so a reader of the end finds them.
    private(set) var trailers = HTTPFields()
    private var buffer: [UInt8] = []
    private var isPaused = false
    // A task sets a reader. The transition that takes it sets it to nil, so each is called once.
    private var headReader: HeadReader?
    private var pieceReader: PieceReader?
    private(set) var end: Result<Void, TransportError>?

    /// - Returns: the waiting reader of the head.
    mutating func receive(_ head: HTTPResponse) -> HeadReader? {
        // A cancellation may end the exchange while libcurl still passes lines. The readers have
        // the error already.
        guard end == nil else { return nil }
        if let reader = headReader {
            headReader = nil
            return reader
        }
        heads.append(head)
        return nil
    }

    mutating func receive(trailers: HTTPFields) { self.trailers = trailers }

    mutating func receive(_ piece: UnsafeRawBufferPointer) -> Reception {
        guard end == nil else { return .refused }
        // The invariant says that the buffer is empty here, so this piece is the next one in order.
        if let reader = pieceReader {
            pieceReader = nil
            return .taken(reader)
        }
        // A piece goes into an empty buffer at any size. Otherwise a piece above the limit would
        // pause, be passed again after the resume, and pause for ever.
        guard buffer.isEmpty || buffer.count + piece.count <= Self.bufferLimit else {
            isPaused = true
            return .paused
        }
        buffer.append(contentsOf: piece)
        return .taken(nil)
    }

    /// - Returns: the next head, interim or final; nil if there is neither a head nor an end yet.
    mutating func readHead() -> Result<HTTPResponse, TransportError>? {
        // After a failure the head is not delivered, even if it arrived: its body would fail at
        // once.
        if case .failure(let error) = end { return .failure(error) }
        return heads.isEmpty ? nil : .success(heads.removeFirst())
    }

    mutating func read() -> Reading {
        guard buffer.isEmpty else {
            let piece = buffer
            buffer = []
            // The flag is read before `defer` resets it. A second read before the resume must not
            // resume the transfer twice.
            defer { isPaused = false }
            return .piece(piece, resumes: isPaused && end == nil)
        }
        return end.map { .end($0) } ?? .nothingYet
    }

    /// - Returns: the result if it is there already; the reader is not called then.
    mutating func waitForHead(_ reader: @escaping HeadReader) -> Result<HTTPResponse, TransportError>? {
        // The check and the registration are under one lock. If the head arrived between them, no
        // event would call the reader.
        if let result = readHead() { return result }
        headReader = reader
        return nil
    }

    mutating func waitForPiece(_ reader: @escaping PieceReader) -> Reading {
        let reading = read()
        if case .nothingYet = reading { pieceReader = reader }
        return reading
    }

    /// - Parameter dropsRest: whether buffered bytes are dropped: no byte is delivered after a
    ///   timeout or a cancellation.
    /// - Returns: nil if it had ended before.
    mutating func finish(_ result: Result<Void, TransportError>, dropsRest: Bool) -> Ending? {
        guard end == nil else { return nil }
        // The first end counts. A watchdog, a cancellation and libcurl may end one exchange at
        // once.
        end = result
        if dropsRest { buffer = [] }
        // Both readers leave the state with the end. No later transition can call them again.
        defer { (headReader, pieceReader) = (nil, nil) }
        return Ending(head: headReader, piece: pieceReader)
    }
}

extension AnswerState.Ending {
    func tell(_ end: Result<Void, TransportError>) {
        // A complete transfer has passed its head before its end, so only a failure finds a reader
        // of the head.
        if case .failure(let error) = end { head?(.failure(error)) }
        piece?(end.map { nil })
    }
}
#endif
