#if TestServer
import Synchronization

/// What came and how it ended, and who waits for more of it.
final class ExchangeLog: Sendable {
    struct Exchange: Sendable {
        var request: TestRequest
        var bytesSent = 0
        var outcome: TestServer.Outcome?
    }

    private struct Watcher {
        let isSatisfied: @Sendable ([Exchange]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var exchanges: [Exchange] = []
        var watchers: [UInt64: Watcher] = [:]
        var lastID: UInt64 = 0

        mutating func takeSatisfied() -> [Watcher] {
            let satisfied = watchers.filter { $0.value.isSatisfied(exchanges) }
            for id in satisfied.keys { watchers[id] = nil }
            return Array(satisfied.values)
        }
    }

    private let state = Mutex(State())

    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    func append(_ request: TestRequest) -> TestRequest {
        change { exchanges in
            var numbered = request
            numbered.number = exchanges.count + 1
            exchanges.append(Exchange(request: numbered))
            return numbered
        }
    }

    func sent(_ count: Int, of number: Int) {
        change { $0[number - 1].bytesSent += count }
    }

    func forgetBody(of number: Int) {
        change { $0[number - 1].request.body = [] }
    }

    /// The first outcome counts.
    func end(_ number: Int, _ outcome: TestServer.Outcome) {
        change { exchanges in
            if exchanges[number - 1].outcome == nil { exchanges[number - 1].outcome = outcome }
        }
    }

    /// Waits until `value` gives something.
    ///
    /// - Throws: `CancellationError`.
    func first<Value: Sendable>(_ value: @escaping @Sendable ([Exchange]) -> Value?) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let came = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Bool? in
                    if value(state.exchanges) != nil { return true }
                    if Task.isCancelled { return false }
                    state.watchers[id] = Watcher(isSatisfied: { value($0) != nil }, continuation: continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        guard came, let found = value(exchanges) else { throw CancellationError() }
        return found
    }

    private func change<Result: Sendable>(_ body: (inout [Exchange]) -> sending Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = body(&state.exchanges)
            return (result, state.takeSatisfied())
        }
        for watcher in satisfied { watcher.continuation.resume(returning: true) }
        return result
    }
}
#endif
