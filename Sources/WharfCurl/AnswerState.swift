#if os(Linux)
internal import WharfCore

/// The answer to one request: its head, and the bytes that its reader has not taken yet.
///
/// Invariants:
/// - a reader waits only while the buffer is empty and there is no end;
/// - the transfer is paused only while the buffer is full or waits to be taken;
/// - nothing changes after the end but that the buffer empties.
///
/// A transition returns what its caller does once it has released the lock: resuming a continuation
/// under it could deadlock.
struct AnswerState {
    typealias HeadReader = @Sendable (Result<HTTPResponse, TransportError>) -> Void
    typealias PieceReader = @Sendable (Result<[UInt8]?, TransportError>) -> Void

    /// What becomes of a piece that came in.
    enum Reception {
        /// Taken, for the reader that waits or for a later one.
        case taken(PieceReader?)
        /// libcurl keeps the piece, reads no more from the socket, and gives it again once it is
        /// resumed.
        case paused
        /// The exchange is over.
        case refused
    }

    enum Reading {
        /// - Parameter resumes: whether the transfer, which was paused, goes on.
        case piece([UInt8], resumes: Bool)
        case end(Result<Void, TransportError>)
        case nothingYet
    }

    /// The readers that hear of the end.
    struct Ending {
        var head: HeadReader?
        var piece: PieceReader?
    }

    /// More than one piece of libcurl's (16 KB), and little enough for a thousand answers at a
    /// time.
    static let bufferLimit = 128 << 10

    private var head: HTTPResponse?
    private var buffer: [UInt8] = []
    private var isPaused = false
    private var headReader: HeadReader?
    private var pieceReader: PieceReader?
    private(set) var end: Result<Void, TransportError>?

    /// - Returns: the reader that waits for it.
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

    /// - Returns: nil when there is neither a head nor an end yet.
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

    /// - Returns: what there is already; the reader is not called then.
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

    /// - Parameter dropsRest: whether bytes that came before are withheld: nothing arrives after a
    ///   timeout or a cancellation.
    /// - Returns: nil when it ended before.
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
