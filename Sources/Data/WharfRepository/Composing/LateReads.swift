internal import Synchronization

/// Reads that go on after their callers have left, one for each question.
final class LateReads<ReadKey: Hashable & Sendable>: Sendable {
    // Invariant: a question is in the set while exactly one late read of it goes on.
    private let open = Mutex<Set<ReadKey>>([])
    private let executor: (any TaskExecutor)?

    init(executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    /// Whether no read goes on.
    var isEmpty: Bool { open.withLock { $0.isEmpty } }

    /// Lets a read go on, or cancels it if one with the same question goes on already.
    func leave<Value>(_ reading: Task<Value, Never>, under question: ReadKey) {
        // The test and the insertion are one step. Two callers that leave at once would otherwise
        // let two reads go on.
        guard open.withLock({ $0.insert(question).inserted }) else { return reading.cancel() }
        Task(executorPreference: executor) { [self] in
            // The task waits without cancellation, so the question is removed in any case.
            _ = await reading.value
            open.withLock { _ = $0.remove(question) }
        }
    }
}
