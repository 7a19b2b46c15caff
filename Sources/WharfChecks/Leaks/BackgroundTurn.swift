internal import Synchronization

/// Knows when a task of the lowest priority, started now, has run: whatever was in that queue before has had its turn.
final class BackgroundTurn: Sendable {
    private let had = Atomic(false)

    init() {
        // Nobody awaits it: that would raise its priority.
        Task.detached(priority: .background) { [self] in had.store(true, ordering: .releasing) }
    }

    var wasHad: Bool { had.load(ordering: .acquiring) }
}
