#if Encryption
internal import Synchronization
internal import WharfCore

/// Opens the pieces of a sealed body as they are read.
final class SealedBody: BodyStream.Producer {
    private struct State {
        /// nil after the last piece, or after a cancellation: releasing the rest closes its file.
        var body: BodyStream?
        /// Sealed bytes of the next piece.
        var pending: [UInt8] = []
        var number: UInt64
        /// The bytes before the part that are still to be skipped.
        var skipped: Int
        /// The bytes of the part that were not opened yet.
        var rest: Int64
        /// An opened piece that was not delivered yet.
        var opened: [UInt8]?
        /// Thrown by each later read.
        var failure: TransportError?
    }

    // Only one reader calls `next`, so no other call changes the state during a read. The lock is
    // for `cancel`.
    private let state: Mutex<State>
    private let part: SealedPart
    private let onDamage: @Sendable () async -> Void

    init(_ body: BodyStream, _ part: SealedPart, onDamage: @escaping @Sendable () async -> Void) {
        state = Mutex(State(body: body, number: part.first, skipped: part.skipped, rest: part.length))
        self.part = part
        self.onDamage = onDamage
    }

    /// Opens the first piece, before it is asked for.
    func openFirst() async throws(TransportError) {
        let piece = try await openNext()
        state.withLock { $0.opened = piece.isEmpty ? nil : piece }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let (opened, rest) = state.withLock { state in
            defer { state.opened = nil }
            return (state.opened, state.rest)
        }
        if let opened { return opened }
        guard rest > 0 else { return nil }
        return try await openNext()
    }

    func cancel() {
        // Released outside the lock: the stream closes its file.
        let body = state.withLock { state in
            defer { state.body = nil }
            return state.body
        }
        withExtendedLifetime(body) {}
    }

    private func openNext() async throws(TransportError) -> [UInt8] {
        if let failure = state.withLock(\.failure) { throw failure }
        let sealed = try await readPiece()
        let number = state.withLock(\.number)
        let plain: [UInt8]
        do {
            plain = try part.body.open(sealed[...], number: number, isLast: number == part.last)
        } catch {
            let failure = TransportError(
                .connectionLost, message: "a piece of the stored body was changed, so it was removed; read it again",
                cause: error)
            let rest = state.withLock { state in
                defer { (state.failure, state.body) = (failure, nil) }
                return state.body
            }
            withExtendedLifetime(rest) {}
            await onDamage()
            throw failure
        }
        return state.withLock { state in
            let wanted = plain.dropFirst(state.skipped).prefix(Int(clamping: state.rest))
            state.skipped = 0
            state.number += 1
            state.rest -= Int64(wanted.count)
            if state.rest == 0 { state.body = nil }
            return wanted.count == plain.count ? plain : Array(wanted)
        }
    }

    /// Reads up to the end of a piece.
    private func readPiece() async throws(TransportError) -> [UInt8] {
        while true {
            let (piece, body) = state.withLock { state -> ([UInt8]?, BodyStream?) in
                guard state.pending.count >= BodyCipher.sealedPieceSize else { return (nil, state.body) }
                defer { state.pending.removeFirst(BodyCipher.sealedPieceSize) }
                return (Array(state.pending.prefix(BodyCipher.sealedPieceSize)), nil)
            }
            if let piece { return piece }
            guard let body else {
                throw TransportError(.cancelled, message: "the stored body was cancelled by its reader")
            }
            var iterator = body.makeAsyncIterator()
            if let chunk = try await iterator.next(isolation: nil) {
                state.withLock { $0.pending += chunk }
            } else {
                // The last piece may be shorter. The rest of a cut body is not opened.
                return state.withLock { state in
                    defer { state.pending = [] }
                    return state.pending
                }
            }
        }
    }
}
#endif
