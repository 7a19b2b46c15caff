import Synchronization

/// Raised once: for those who look on as long as another one is at work. A count of looks alone may be over before it has begun.
/// They yield between their looks, or nobody else may get a thread.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}
