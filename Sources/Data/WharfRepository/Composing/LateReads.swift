internal import Synchronization

/// Reads that go on after their callers have left, one for each question.
final class LateReads<Question: Hashable & Sendable>: Sendable {
    private let open = Mutex<Set<Question>>([])
    private let executor: (any TaskExecutor)?

    init(executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    /// Whether no read goes on.
    var isEmpty: Bool { open.withLock { $0.isEmpty } }

    /// Lets a read go on, or cancels it if one with the same question goes on already.
    func leave<Value>(_ reading: Task<Value, Never>, under question: Question) {
        guard open.withLock({ $0.insert(question).inserted }) else { return reading.cancel() }
        Task(executorPreference: executor) { [self] in
            _ = await reading.value
            open.withLock { _ = $0.remove(question) }
        }
    }
}
