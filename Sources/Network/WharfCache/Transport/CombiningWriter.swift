internal import Synchronization
import WharfCore
import WharfStorage

/// A writer of a part that also writes the stored bytes before and after it.
///
/// The stored bytes are copied piece by piece, so no body is in memory. Nothing is visible before
/// the commit. A stored body that breaks off fails the writer, and the stored response stays.
final class CombiningWriter: CacheWriter {
    private struct State {
        /// nil after the end: releasing the rest closes its file.
        var stored: BodyStream?
        /// The bytes of the last stored piece that were not used yet.
        var piece: ArraySlice<UInt8> = []
        var left: Combination.StoredBytes
    }

    // One body calls `append` and `commit`, one after the other, so no other call changes the
    // counts during a read. The lock is for `abandon`.
    private let state: Mutex<State>
    private let writer: any CacheWriter
    /// The number of stored bytes before the part. The writer has them with the first byte of it.
    let before: Int64

    /// - Parameters:
    ///   - writer: writes the combined response.
    ///   - stored: the stored body.
    ///   - bytes: the use of its bytes.
    init(_ writer: any CacheWriter, _ stored: BodyStream, _ bytes: Combination.StoredBytes) {
        self.writer = writer
        self.before = bytes.before
        self.state = Mutex(State(stored: stored, left: bytes))
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        // Before the first byte of the part.
        try await copy(\.before)
        try await writer.append(bytes)
    }

    /// Commits the part with all stored bytes. Under another head, as of a part that broke off, it
    /// adds none: that head is of the bytes until here.
    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        if head == nil {
            try await copy(\.before)
            try await copy(\.overlap, isDropped: true)
            try await copy(\.after)
        }
        release()
        return try await writer.commit(as: head)
    }

    func abandon() {
        release()
        writer.abandon()
    }

    private func release() {
        // Released outside the lock: the stream closes its file.
        let stored = state.withLock { state in
            defer { state.stored = nil }
            return state.stored
        }
        withExtendedLifetime(stored) {}
    }

    /// Reads stored bytes until the count is zero, and writes or drops them.
    private func copy(
        _ count: any WritableKeyPath<Combination.StoredBytes, Int64> & Sendable, isDropped: Bool = false
    ) async throws(StoreError) {
        while true {
            let (left, isEmpty) = state.withLock { ($0.left[keyPath: count], $0.piece.isEmpty) }
            guard left > 0 else { return }
            if isEmpty { try await readPiece() }
            let piece = state.withLock { state in
                let piece = state.piece.prefix(Int(clamping: left))
                state.piece = state.piece.dropFirst(piece.count)
                state.left[keyPath: count] -= Int64(piece.count)
                return piece
            }
            if !isDropped { try await writer.append(Array(piece)) }
        }
    }

    private func readPiece() async throws(StoreError) {
        do throws(TransportError) {
            guard let stored = state.withLock({ $0.stored }) else { throw TransportError.cancelled }
            var iterator = stored.makeAsyncIterator()
            guard let piece = try await iterator.next(isolation: nil) else {
                throw TransportError(.connectionLost, message: "the stored body ended before its announced length")
            }
            state.withLock { $0.piece = piece[...] }
        } catch {
            throw .unreadablePart(error)
        }
    }
}

extension StoreError {
    static func unreadablePart(_ error: TransportError) -> StoreError {
        StoreError(
            error.code == .cancelled ? .cancelled : .failed,
            message: "the stored part could not be read to its end, so the new part was not combined with it; the "
                + "new part is requested again when it is needed",
            cause: error)
    }
}
