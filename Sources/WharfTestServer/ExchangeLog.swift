#if TestServer
import Synchronization

/// What came and how it ended, and who waits for more of it.
final class ExchangeLog: Sendable {
    struct Exchange: Sendable {
        var request: TestRequest
        var bytesSent = 0
        var outcome: TestServer.Outcome?
    }

    fileprivate struct Watcher {
        let isSatisfied: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    struct State {
        fileprivate(set) var exchanges: [Exchange] = []
        /// Connections that are accepted, and those of them that can be dropped already.
        fileprivate(set) var accepted = 0
        fileprivate(set) var announced = 0
        fileprivate var watchers: [UInt64: Watcher] = [:]
        fileprivate var lastID: UInt64 = 0

        fileprivate mutating func takeSatisfied() -> [Watcher] {
            let satisfied = watchers.filter { $0.value.isSatisfied(self) }
            for id in satisfied.keys { watchers[id] = nil }
            return Array(satisfied.values)
        }
    }

    private let state = Mutex(State())

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    var connectionCount: Int { state.withLock { $0.accepted } }

    /// Counts a connection and gives its number.
    func connect() -> Int {
        change { state in
            state.accepted += 1
            return state.accepted
        }
    }

    /// Tells those who wait that the connection is there.
    func announce() { change { $0.announced += 1 } }

    func append(_ request: TestRequest) -> TestRequest {
        change { state in
            var numbered = request
            numbered.number = state.exchanges.count + 1
            state.exchanges.append(Exchange(request: numbered))
            return numbered
        }
    }

    func sent(_ count: Int, of number: Int) {
        change { $0.exchanges[number - 1].bytesSent += count }
    }

    /// The first outcome counts.
    func end(_ number: Int, _ outcome: TestServer.Outcome) {
        change { state in
            if state.exchanges[number - 1].outcome == nil { state.exchanges[number - 1].outcome = outcome }
        }
    }

    /// Waits until `value` gives something.
    ///
    /// - Throws: `CancellationError`.
    func first<Value: Sendable>(_ value: @escaping @Sendable (State) -> Value?) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let came = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Bool? in
                    if value(state) != nil { return true }
                    if Task.isCancelled { return false }
                    state.watchers[id] = Watcher(isSatisfied: { value($0) != nil }, continuation: continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        guard came, let found = state.withLock({ value($0) }) else { throw CancellationError() }
        return found
    }

    private func change<Result: Sendable>(_ body: (inout State) -> sending Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeSatisfied())
        }
        for watcher in satisfied { watcher.continuation.resume(returning: true) }
        return result
    }
}
#endif
