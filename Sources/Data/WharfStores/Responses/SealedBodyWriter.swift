#if Encryption
internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// Seals a body piece by piece on its way to a store.
final class SealedBodyWriter: CacheWriter {
    private struct State {
        /// Less than a piece, or a whole one that may be the last.
        var pending: [UInt8] = []
        var number: UInt64 = 0
        /// Set by the end. A second commit would seal other bytes with the nonce of the last piece.
        var hasEnded = false

        /// Returns the sealed pieces that are surely not the last.
        mutating func append(_ bytes: [UInt8], _ body: BodyCipher) throws -> [[UInt8]] {
            pending += bytes
            var pieces: [[UInt8]] = []
            var start = 0
            while pending.count - start > BodyCipher.pieceSize {
                pieces.append(
                    try body.seal(pending[start..<start + BodyCipher.pieceSize], number: number, isLast: false))
                number += 1
                start += BodyCipher.pieceSize
            }
            pending.removeFirst(start)
            return pieces
        }
    }

    private let base: any CacheWriter
    private let body: BodyCipher
    private let sealed: @Sendable (StoredHead) throws(StoreError) -> StoredHead
    // Calls of one writer are not concurrent. The lock makes it Sendable.
    private let state = Mutex(State())

    /// - Parameter sealed: seals another head with the salt of this body.
    init(
        _ base: any CacheWriter, _ body: BodyCipher,
        sealed: @escaping @Sendable (StoredHead) throws(StoreError) -> StoredHead
    ) {
        self.base = base
        self.body = body
        self.sealed = sealed
    }

    func append(_ bytes: [UInt8]) async throws(StoreError) {
        // Before a piece is taken out of the pending bytes: the bytes before stay.
        if Task.isCancelled {
            throw StoreError(.cancelled, message: "the task was cancelled before it could add to an entry")
        }
        let pieces = try state.withLock { state throws(StoreError) in
            if state.hasEnded { throw Self.ended }
            do { return try state.append(bytes, body) } catch { throw Self.failed(error) }
        }
        do throws(StoreError) {
            for piece in pieces { try await base.append(piece) }
        } catch {
            // A commit after a cancellation would store a body that lacks a piece.
            state.withLock { $0.hasEnded = true }
            throw error
        }
    }

    func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
        let last = try state.withLock { state throws(StoreError) in
            if state.hasEnded { throw Self.ended }
            state.hasEnded = true
            do {
                return try body.seal(state.pending, number: state.number, isLast: true)
            } catch {
                throw Self.failed(error)
            }
        }
        try await base.append(last)
        guard let head else { return try await base.commit() }
        return try await base.commit(as: sealed(head))
    }

    func abandon() {
        state.withLock { state in
            state.hasEnded = true
            state.pending = []
        }
        base.abandon()
    }

    private static var ended: StoreError {
        StoreError(.closed, message: "the response was committed or abandoned before; begin another one")
    }

    private static func failed(_ error: any Error) -> StoreError {
        StoreError(.failed, message: "could not seal a piece of a response: \(error)", cause: error)
    }
}
#endif
