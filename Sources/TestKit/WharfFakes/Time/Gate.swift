internal import WharfPrimitives

/// A point where tasks wait until the test opens it. It replaces sleeps in tests.
///
/// The test can wait for the arrival of tasks.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
    }

    private let monitor = Monitor(State())

    /// Creates a closed gate.
    public init() {}

    /// Waits until the gate is open. A cancelled task passes at once.
    public func pass() async {
        let ticket = monitor.withLock { state, effects in
            state.arrivals += 1
            // Look and place in the queue in one step: `open()` in between would resume no task,
            // and this task would wait for ever.
            return state.isOpen ? nil : effects.reserve()
        }
        if let ticket { _ = await monitor.waitUnlessCancelled(for: ticket) }
    }

    /// Lets all tasks pass, now and later.
    public func open() {
        monitor.withLock { state, effects in
            state.isOpen = true
            effects.resumeAll()
        }
    }

    /// Waits until `count` tasks in all have arrived at the gate.
    public func arrivals(_ count: Int = 1) async { await monitor.wait { $0.arrivals >= count } }
}
