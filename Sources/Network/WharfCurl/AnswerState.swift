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

    private var head: HTTPResponse?
    private var buffer: [UInt8] = []
    private var isPaused = false
    private var headReader: HeadReader?
    private var pieceReader: PieceReader?
    private(set) var end: Result<Void, TransportError>?

    /// - Returns: the waiting reader of the head.
    mutating func receive(_ head: HTTPResponse) -> HeadReader? {
        guard end == nil else { return nil }
        self.head = head
        defer { headReader = nil }
        return headReader
    }

    mutating func receive(_ piece: UnsafeRawBufferPointer) -> Reception {
        guard end == nil else { return .refused }
        if let reader = pieceReader {
            pieceReader = nil
            return .taken(reader)
        }
        guard buffer.isEmpty || buffer.count + piece.count <= Self.bufferLimit else {
            isPaused = true
            return .paused
        }
        buffer.append(contentsOf: piece)
        return .taken(nil)
    }

    /// - Returns: nil if there is neither a head nor an end yet.
    func readHead() -> Result<HTTPResponse, TransportError>? {
        if case .failure(let error) = end { return .failure(error) }
        return head.map { .success($0) }
    }

    mutating func read() -> Reading {
        guard buffer.isEmpty else {
            let piece = buffer
            buffer = []
            defer { isPaused = false }
            return .piece(piece, resumes: isPaused && end == nil)
        }
        return end.map { .end($0) } ?? .nothingYet
    }

    /// - Returns: the result if it is there already; the reader is not called then.
    mutating func waitForHead(_ reader: @escaping HeadReader) -> Result<HTTPResponse, TransportError>? {
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
        end = result
        if dropsRest { buffer = [] }
        defer { (headReader, pieceReader) = (nil, nil) }
        return Ending(head: headReader, piece: pieceReader)
    }
}

extension AnswerState.Ending {
    func tell(_ end: Result<Void, TransportError>) {
        if case .failure(let error) = end { head?(.failure(error)) }
        piece?(end.map { nil })
    }
}
#endif
