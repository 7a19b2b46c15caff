internal import WharfCore
internal import WharfPrimitives

/// A body between the channel on which it arrives and its reader.
///
/// The channel's handler appends pieces, and stops reading while ``isFull``. The reader takes them.
/// So a body of any length needs little memory.
final class ChannelBody: BodyStream.Producer {
    /// The number of bytes above which the channel does not read on.
    private static let limit = 256 << 10

    private struct State: Sendable {
        // Invariants while the lock is free:
        // - `count` is the number of bytes in `pieces`.
        // - A reader waits only if `pieces` is empty and the body has not ended.
        // - After an end, `pieces` does not grow.
        var pieces: ArraySlice<[UInt8]> = []
        var count = 0
        var isComplete = false
        var failure: TransportError?
        /// Whether the reader reads no further.
        var isAbandoned = false
        var isRead = false
    }

    private enum Step: Sendable {
        case piece([UInt8], leavesRoom: Bool)
        case waits(WaitTicket, isFirst: Bool)
        case end
    }

    private let monitor = Monitor(State())
    private let onFirstWait: @Sendable () -> Void
    private let onRoom: @Sendable () -> Void

    /// - Parameters:
    ///   - onFirstWait: called if the reader wants the body before a byte has arrived.
    ///   - onRoom: called if the channel may read on.
    init(onFirstWait: @escaping @Sendable () -> Void, onRoom: @escaping @Sendable () -> Void) {
        self.onFirstWait = onFirstWait
        self.onRoom = onRoom
    }

    /// Whether the channel must not read on.
    var isFull: Bool { monitor.read { $0.count > Self.limit } }

    /// Whether the whole body has arrived.
    var isComplete: Bool { monitor.read(\.isComplete) }

    func append(_ piece: [UInt8]) {
        monitor.withLock { state, effects in
            guard !state.isAbandoned, state.failure == nil else { return }
            state.pieces.append(piece)
            state.count += piece.count
            effects.resumeFirst()
        }
    }

    /// Marks the end of the body.
    func complete() {
        monitor.withLock { state, effects in
            state.isComplete = state.failure == nil
            effects.resumeAll()
        }
    }

    /// Ends the body early, so that it does not look complete to its reader.
    func fail(_ error: TransportError) {
        monitor.withLock { state, effects in
            guard !state.isComplete else { return }
            state.failure = state.failure ?? error
            effects.resumeAll()
        }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        while true {
            let step = try monitor.withLock { state, effects throws(TransportError) -> Step in
                if state.isAbandoned { throw .cancelled }
                if let piece = state.pieces.popFirst() {
                    let wasFull = state.count > Self.limit
                    state.count -= piece.count
                    state.isRead = true
                    return .piece(piece, leavesRoom: wasFull && state.count <= Self.limit)
                }
                if let failure = state.failure { throw failure }
                if state.isComplete { return .end }
                defer { state.isRead = true }
                return .waits(effects.reserve(), isFirst: !state.isRead)
            }
            switch step {
            case .piece(let piece, let leavesRoom):
                if leavesRoom { onRoom() }
                return piece
            case .waits(let ticket, let isFirst):
                if isFirst { onFirstWait() }
                guard await monitor.waitUnlessCancelled(for: ticket) else { throw .cancelled }
            case .end: return nil
            }
        }
    }

    func cancel() {
        let wasFull = monitor.withLock { state, effects in
            defer {
                state.isAbandoned = true
                (state.pieces, state.count) = ([], 0)
                effects.resumeAll()
            }
            return state.count > Self.limit
        }
        if wasFull { onRoom() }
    }
}
