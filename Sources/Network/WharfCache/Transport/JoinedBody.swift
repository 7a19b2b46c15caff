internal import Synchronization
import WharfCore

/// Two bodies, one after the other.
///
/// Each must have its length, or its bytes would move the other's.
final class JoinedBody: RejectableProducer {
    /// A body, and the number of its bytes that were not read yet.
    private struct Part {
        let stream: BodyStream
        var left: Int64
    }

    // Invariants: `failure` is set once, and `parts` is empty then. `onRejection` is taken once.
    // Each part is released at its end, which closes its file or frees its connection.
    private struct State {
        var parts: ArraySlice<Part>
        /// Thrown by each later read, because nil would make the body look complete.
        var failure: TransportError?
        var onRejection: (@Sendable () async -> Void)?
    }

    // Only one reader calls `next`. The lock is for `cancel`.
    private let state: Mutex<State>

    /// - Parameter onRejection: discards the stored bytes among the two bodies.
    init(
        _ first: BodyStream, of firstLength: Int64, _ second: BodyStream, of secondLength: Int64,
        onRejection: (@Sendable () async -> Void)? = nil
    ) {
        state = Mutex(
            State(
                parts: [Part(stream: first, left: firstLength), Part(stream: second, left: secondLength)],
                onRejection: onRejection))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        while true {
            let (part, failure) = state.withLock { ($0.parts.first, $0.failure) }
            if let failure { throw failure }
            guard let part else { return nil }
            var iterator = part.stream.makeAsyncIterator()
            let chunk = try await iterator.next(isolation: nil)
            let left = part.left - Int64(chunk?.count ?? 0)
            guard chunk == nil ? left == 0 : left >= 0 else {
                let error = TransportError(
                    .connectionLost, message: "a part of the body has another length than announced; request it again")
                end(error)
                throw error
            }
            state.withLock { state in
                guard !state.parts.isEmpty else { return }
                if chunk == nil { state.parts.removeFirst() } else { state.parts[state.parts.startIndex].left = left }
            }
            if let chunk { return chunk }
        }
    }

    func cancel() { end(TransportError(.cancelled, message: "the reader abandoned the body before its end")) }

    func reject(_ error: TransportError) async {
        end(error)
        let onRejection = state.withLock { state in
            defer { state.onRejection = nil }
            return state.onRejection
        }
        await onRejection?()
    }

    private func end(_ error: TransportError) {
        // Released outside the lock: the streams close their connection and file.
        let parts = state.withLock { state in
            defer {
                // A second cancellation must not undo the first.
                if !state.parts.isEmpty { state.failure = error }
                state.parts = []
            }
            return state.parts
        }
        withExtendedLifetime(parts) {}
    }
}
