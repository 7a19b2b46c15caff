#if os(Linux)
internal import WharfCore

/// The body that is sent: the piece that libcurl takes from, while the stream makes the next one.
///
/// Invariants:
/// - the pump waits only while a piece is not used up, so at most one piece is in memory;
/// - the transfer is paused only while there is no piece and more may come.
struct UploadState {
    typealias Pump = @Sendable (_ goesOn: Bool) -> Void

    /// What libcurl gets when it asks for bytes.
    enum Gift {
        case bytes(Int, Pump?)
        /// libcurl asks again once it is resumed.
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

    /// - Returns: whether the transfer, which was paused, goes on.
    mutating func bring(_ piece: [UInt8], isLast: Bool) -> Bool {
        self.piece = piece
        self.isLast = isLast
        offset = 0
        defer { isPaused = false }
        return isPaused && !isOver
    }

    /// - Returns: whether more is wanted; nil while the last piece is not used up, and then the
    ///   pump is told later.
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

    /// - Returns: the pump that waits.
    mutating func finish() -> Pump? {
        isOver = true
        piece = []
        offset = 0
        defer { pump = nil }
        return pump
    }
}
#endif
