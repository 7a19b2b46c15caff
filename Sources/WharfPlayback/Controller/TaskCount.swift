internal import Synchronization

/// Counts tasks that have begun and not ended, for who waits until none is left.
final class TaskCount: Sendable {
    private struct Content {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let content = Mutex(Content())

    func begin() { content.withLock { $0.running += 1 } }

    func end() {
        let woken = content.withLock { content -> [CheckedContinuation<Void, Never>] in
            content.running -= 1
            guard content.running == 0 else { return [] }
            defer { content.waiting = [] }
            return content.waiting
        }
        for waiter in woken { waiter.resume() }
    }

    /// Also for a caller that is cancelled: tasks that nobody waits for have no owner.
    func untilNone() async {
        await withCheckedContinuation { continuation in
            let isNone = content.withLock { content in
                if content.running > 0 { content.waiting.append(continuation) }
                return content.running == 0
            }
            if isNone { continuation.resume() }
        }
    }
}
