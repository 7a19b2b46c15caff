#if os(Linux)
internal import WharfCore

/// The state of a request body: the piece that libcurl reads while the stream makes the next one.
///
/// Invariants:
/// - The pump waits only while a piece is not used up, so at most one piece is in memory.
/// - The transfer is paused only while there is no piece and more may come.
struct UploadState {
    typealias Pump = @Sendable (_ goesOn: Bool) -> Void

    /// The reply when libcurl requests bytes.
    enum Gift {
        case bytes(Int, Pump?)
        /// libcurl asks again after it is resumed.
        case paused
        case end
        case refused
    }

    private var piece: [UInt8] = []
    private var offset = 0
    private var isLast = false
    private var isPaused = false
    private var isOver = false
    private var pump: Pump?

    /// - Returns: whether the paused transfer must be resumed.
    mutating func bring(_ piece: [UInt8], isLast: Bool) -> Bool {
        self.piece = piece
        self.isLast = isLast
        offset = 0
        defer { isPaused = false }
        return isPaused && !isOver
    }

    /// - Returns: whether more bytes are wanted; nil while the last piece is not used up. Then the
    ///   pump is called later.
    mutating func wait(_ pump: @escaping Pump) -> Bool? {
        if isOver { return false }
        if offset == piece.count { return true }
        self.pump = pump
        return nil
    }

    mutating func give(_ target: UnsafeMutableRawBufferPointer) -> Gift {
        guard !isOver else { return .refused }
        let count = min(target.count, piece.count - offset)
        guard count > 0 else {
            if isLast { return .end }
            isPaused = true
            return .paused
        }
        piece.withUnsafeBytes { bytes in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        guard offset == piece.count else { return .bytes(count, nil) }
        piece = []
        offset = 0
        defer { pump = nil }
        return .bytes(count, pump)
    }

    /// - Returns: the waiting pump.
    mutating func finish() -> Pump? {
        isOver = true
        piece = []
        offset = 0
        defer { pump = nil }
        return pump
    }
}
#endif
