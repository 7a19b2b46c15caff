#if os(Linux)
internal import WharfCore

/// The state of a request body: the piece that libcurl reads while the stream makes the next one.
///
/// Invariants:
/// - The upload task waits only while a piece is not used up, so at most one piece is in memory.
/// - The transfer is paused only while there is no piece and more may come.
struct UploadState {
    typealias ResumeRead = @Sendable (_ continues: Bool) -> Void

    /// The reply when libcurl requests bytes.
    enum ReadReply {
        case bytes(Int, ResumeRead?)
        /// libcurl asks again after it is resumed.
        case paused
        case end
        case refused
    }

    // Bytes before `offset` are with libcurl. Both are reset together, or `give` would read beyond
    // the new piece.
    private var piece: [UInt8] = []
    private var offset = 0
    private var isLast = false
    private var isPaused = false
    private var isOver = false
    private var resumeRead: ResumeRead?

    /// - Returns: whether the paused transfer must be resumed.
    mutating func bring(_ piece: [UInt8], isLast: Bool) -> Bool {
        // The pump calls this only after the last piece is used up, so nothing is overwritten.
        self.piece = piece
        self.isLast = isLast
        offset = 0
        // The flag is read before `defer` resets it. After the end there is no transfer to resume.
        defer { isPaused = false }
        return isPaused && !isOver
    }

    /// - Returns: whether more bytes are wanted; nil while the last piece is not used up. Then the
    ///   closure is called later.
    mutating func wait(_ resumeRead: @escaping ResumeRead) -> Bool? {
        // The end may come between `bring` and `wait`. A pump that registers after it would never
        // be called.
        if isOver { return false }
        if offset == piece.count { return true }
        self.resumeRead = resumeRead
        return nil
    }

    mutating func give(_ target: UnsafeMutableRawBufferPointer) -> ReadReply {
        guard !isOver else { return .refused }
        let count = min(target.count, piece.count - offset)
        guard count > 0 else {
            // libcurl ends the body at 0 bytes, so an empty piece without `isLast` must pause
            // instead.
            if isLast { return .end }
            isPaused = true
            return .paused
        }
        piece.withUnsafeBytes { bytes in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        guard offset == piece.count else { return .bytes(count, nil) }
        // The piece is released before the next one is made: one piece in memory, as the invariant
        // says.
        piece = []
        offset = 0
        defer { resumeRead = nil }
        return .bytes(count, resumeRead)
    }

    /// - Returns: the closure of the waiting upload task.
    mutating func finish() -> ResumeRead? {
        isOver = true
        piece = []
        offset = 0
        defer { resumeRead = nil }
        return resumeRead
    }
}
#endif
