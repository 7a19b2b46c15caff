internal import Synchronization
internal import WharfCore

/// The body of a scripted answer: its chunks, then its failure or its end.
final class StubBody: BodyStream.Producer {
    private struct State {
        var rest: ArraySlice<[UInt8]>
        var failure: TransportError?
        var isOver = false

        /// Ends the body.
        ///
        /// - Returns: whether the reader left before the end.
        mutating func end(_ error: TransportError?) -> Bool {
            guard !isOver else { return false }
            isOver = true
            rest = []
            failure = error
            return error != nil
        }
    }

    // Once `isOver` is true, `rest` is empty. So a body is left at most once, and never after its
    // regular end.
    private let state: Mutex<State>
    let trailers: HTTPFields?
    private let gate: Gate?
    private let deadline: Deadline?
    private let onLeaving: @Sendable () -> Void

    init(
        _ chunks: [[UInt8]], _ trailers: HTTPFields?, _ failure: TransportError?, _ gate: Gate?, _ deadline: Deadline?,
        onLeaving: @escaping @Sendable () -> Void
    ) {
        self.state = Mutex(State(rest: chunks.filter { !$0.isEmpty }[...], failure: failure))
        self.trailers = trailers
        self.gate = gate
        self.deadline = deadline
        self.onLeaving = onLeaving
    }

    func next() async throws(TransportError) -> [UInt8]? {
        do throws(TransportError) {
            if let gate {
                try await gate.pass(before: deadline)
            } else if Task.isCancelled {
                throw TransportError(.cancelled, message: "the task was cancelled")
            }
        } catch {
            leave(error)
            throw error
        }
        let (chunk, failure) = state.withLock { state in
            let chunk = state.rest.popFirst()
            // The regular end. A body whose failure is still to come may yet be left.
            if chunk == nil, state.failure == nil { state.isOver = true }
            return (chunk, chunk == nil ? state.failure : nil)
        }
        if let failure { throw failure }
        return chunk
    }

    func cancel() { leave(TransportError(.cancelled, message: "the body was cancelled")) }

    private func leave(_ error: TransportError) {
        if state.withLock({ $0.end(error) }) { onLeaving() }
    }
}

extension Gate {
    /// Waits until the gate is open, the deadline has passed or the task is cancelled.
    func pass(before deadline: Deadline?) async throws(TransportError) {
        let passed = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.pass()
                return true
            }
            if let deadline {
                group.addTask {
                    // The wait is cancelled once the gate is passed.
                    do { try await deadline.wait() } catch { return true }
                    return false
                }
            }
            let first = await group.next() ?? true
            group.cancelAll()
            return first
        }
        if Task.isCancelled { throw TransportError(.cancelled, message: "the task was cancelled") }
        guard passed else {
            throw TransportError(.timedOut, message: "no response came within the request's timeout")
        }
    }
}
