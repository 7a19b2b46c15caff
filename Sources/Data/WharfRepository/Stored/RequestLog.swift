internal import Synchronization
internal import WharfCore

/// The open requests of a repository in order, and the events while they were open.
///
/// The versions of the store order requests that have a commit between them. This log orders
/// requests that began at one version, within this process.
final class RequestLog: Sendable {
    private struct Invalidation {
        /// The last request that had begun when the invalidation was noted.
        let last: UInt64
        let covers: @Sendable (EntityRow) -> Bool
    }

    private struct State {
        // Invariants while the lock is free: numbers are given in ascending order; without an open
        // request `answers` and `invalidations` are empty.
        var last: UInt64 = 0
        var open: Set<UInt64> = []
        /// By key: the version at which the store got an answer, and the request of that answer.
        ///
        /// An answer is kept while an earlier request is open, and an invalidation while a request
        /// from before it is open.
        var answers: [EntityKey: (version: StoreVersion, request: UInt64)] = [:]
        var invalidations: [Invalidation] = []

        mutating func end(_ request: UInt64) {
            open.remove(request)
            guard let oldest = open.min() else {
                (answers, invalidations) = ([:], [])
                return
            }
            // Only the end of the oldest request moves the bound, so the filter runs for that one
            // alone.
            guard request < oldest else { return }
            answers = answers.filter { $0.value.request > oldest }
            invalidations.removeAll { $0.last < oldest }
        }
    }

    private let state = Mutex(State())

    /// Runs a request under a number greater than those of all requests before it.
    func run<Value, Failure>(_ request: (UInt64) async throws(Failure) -> Value) async throws(Failure) -> Value {
        let number = state.withLock { state in
            state.last += 1
            state.open.insert(state.last)
            return state.last
        }
        // Ended after the answer was committed and noted. Earlier, a request from before it would
        // not know the order of the two.
        defer { state.withLock { $0.end(number) } }
        return try await request(number)
    }

    /// Notes that the store has the answer to a request.
    func note(_ keys: some Sequence<EntityKey>, at version: StoreVersion, answering request: UInt64) {
        state.withLock { state in
            for key in keys { state.answers[key] = (version, request) }
        }
    }

    /// Returns the request whose answer the store has under a key at a version.
    ///
    /// nil if this log does not have the request.
    func request(of key: EntityKey, at version: StoreVersion) -> UInt64? {
        state.withLock { state in state.answers[key].flatMap { $0.version == version ? $0.request : nil } }
    }

    /// Notes an invalidation: rows that it covers are stale.
    ///
    /// This holds for rows in answers to open requests too.
    func invalidate(_ covers: @escaping @Sendable (EntityRow) -> Bool) {
        state.withLock { state in
            // No request is open, so no answer from before the invalidation can come.
            guard !state.open.isEmpty else { return }
            state.invalidations.append(Invalidation(last: state.last, covers: covers))
        }
    }

    /// Returns whether a row of an answer was invalidated since its request began.
    func isInvalidated(_ row: EntityRow, since request: UInt64) -> Bool {
        let invalidations = state.withLock { state in state.invalidations.filter { $0.last >= request } }
        // Called outside of the lock: `covers` may decode the row.
        return invalidations.contains { $0.covers(row) }
    }
}
