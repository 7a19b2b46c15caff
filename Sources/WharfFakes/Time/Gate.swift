internal import WharfPrimitives

/// Holds tasks at a point until the test opens it, and tells the test that they have come: the
/// place of a sleep.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
    }

    private let monitor = Monitor(State())

    public init() {}

    /// Waits until the gate is open. A cancelled task goes through at once.
    public func pass() async {
        let ticket = monitor.withLock { state, effects in
            state.arrivals += 1
            return state.isOpen ? nil : effects.reserve()
        }
        if let ticket { _ = await monitor.waitUnlessCancelled(for: ticket) }
    }

    /// Lets everybody through, now and later.
    public func open() {
        monitor.withLock { state, effects in
            state.isOpen = true
            effects.resumeAll()
        }
    }

    /// Returns once `count` tasks in all have come to the gate.
    public func arrivals(_ count: Int = 1) async { await monitor.wait { $0.arrivals >= count } }
}
