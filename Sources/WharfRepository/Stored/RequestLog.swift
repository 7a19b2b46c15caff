internal import Synchronization
internal import WharfCore

/// The open requests of a repository in their order, and what happened while they were open.
///
/// The versions of the store order requests that have a commit between them. This log orders
/// requests that began at one version, within this process.
final class RequestLog: Sendable {
    private struct Invalidation {
        /// The last request that was open, or had begun, when it was said.
        let last: UInt64
        let covers: @Sendable (EntityRow) -> Bool
    }

    private struct State {
        var last: UInt64 = 0
        var open: Set<UInt64> = []
        /// By key: the version that an answer got in the store, and the request that it answers.
        ///
        /// Kept while an earlier request is open, and so are the invalidations.
        var answers: [EntityKey: (version: StoreVersion, request: UInt64)] = [:]
        var invalidations: [Invalidation] = []

        mutating func end(_ request: UInt64) {
            open.remove(request)
            guard let oldest = open.min() else {
                (answers, invalidations) = ([:], [])
                return
            }
            guard request < oldest else { return }
            answers = answers.filter { $0.value.request > oldest }
            invalidations.removeAll { $0.last < oldest }
        }
    }

    private let state = Mutex(State())

    /// Runs a request. Its number is greater than those of all requests that began before it.
    func run<Value>(_ request: (UInt64) async -> Value) async -> Value {
        let number = state.withLock { state in
            state.last += 1
            state.open.insert(state.last)
            return state.last
        }
        defer { state.withLock { $0.end(number) } }
        return await request(number)
    }

    /// The answer to a request is in the store.
    func note(_ keys: some Sequence<EntityKey>, at version: StoreVersion, answering request: UInt64) {
        state.withLock { state in
            for key in keys { state.answers[key] = (version, request) }
        }
    }

    /// The request whose answer the store has under a key at a version; nil if it is not known
    /// here.
    func request(of key: EntityKey, at version: StoreVersion) -> UInt64? {
        state.withLock { state in state.answers[key].flatMap { $0.version == version ? $0.request : nil } }
    }

    /// Rows that are covered are stale, also in answers to requests that are open.
    func invalidate(_ covers: @escaping @Sendable (EntityRow) -> Bool) {
        state.withLock { state in
            guard !state.open.isEmpty else { return }
            state.invalidations.append(Invalidation(last: state.last, covers: covers))
        }
    }

    /// Whether a row of an answer was invalidated since its request began.
    func isInvalidated(_ row: EntityRow, since request: UInt64) -> Bool {
        let invalidations = state.withLock { state in state.invalidations.filter { $0.last >= request } }
        return invalidations.contains { $0.covers(row) }
    }
}
