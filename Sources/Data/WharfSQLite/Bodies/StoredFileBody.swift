internal import Synchronization
internal import WharfCore

/// A body, or a part of one, that is read from its file. Each piece is verified before it is
/// delivered.
final class StoredFileBody: BodyStream.Producer {
    private struct State {
        /// The positions in the body that were not delivered yet.
        var rest: Range<Int64>
        /// Thrown by each later read, because nil would make the body look complete.
        var failure: TransportError?
    }

    // Invariant: `failure` is set once. Only one reader calls `next`; the lock is for `cancel`.
    private let state: Mutex<State>
    private let file: OpenBodyFile
    private let onDamage: @Sendable (String) async -> Void

    /// - Parameters:
    ///   - bytes: positions that the body has.
    ///   - onDamage: called once if the body is damaged, before the read throws.
    init(_ file: OpenBodyFile, _ bytes: Range<Int64>, onDamage: @escaping @Sendable (String) async -> Void) {
        self.file = file
        self.onDamage = onDamage
        self.state = Mutex(State(rest: bytes))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        if Task.isCancelled { throw .cancelled }
        let (rest, failure) = state.withLock { ($0.rest, $0.failure) }
        if rest.isEmpty { return nil }
        if let failure { throw failure }
        switch await file.piece(at: rest.lowerBound) {
        case .bytes(let piece):
            let skipped = Int(rest.lowerBound % BodyFileLayout.pieceSize)
            let count = Int(min(Int64(piece.count - skipped), Int64(rest.count)))
            state.withLock { $0.rest = rest.lowerBound + Int64(count)..<rest.upperBound }
            return count == piece.count ? piece : Array(piece[skipped..<skipped + count])
        case .damaged(let what):
            let error = TransportError(
                .connectionLost, message: "the stored body is damaged and was removed: \(what); request it again",
                cause: StoreError(.corrupt, message: what))
            state.withLock { $0.failure = $0.failure ?? error }
            // Awaited: the next lookup must not find the damaged entry again.
            await onDamage(what)
            throw error
        }
    }

    func cancel() {
        state.withLock {
            $0.failure =
                $0.failure ?? TransportError(.cancelled, message: "the reader abandoned the stored body before its end")
        }
    }
}
