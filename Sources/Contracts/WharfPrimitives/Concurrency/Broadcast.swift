/// The newest state, for any number of readers that wait for a newer one.
///
/// A slow reader skips intermediate states, but never the last one.
package final class Broadcast<State: Sendable>: Sendable {
    /// The number of a state. A later state has a larger one.
    package struct Version: Sendable, Comparable {
        fileprivate var number: UInt64

        /// The version before the first state.
        package static var none: Self { Self(number: 0) }
        package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
    }

    private let monitor = Monitor(BroadcastProgress())
    /// Invariant: read and written only under the monitor's lock. It is not part of the monitor's
    /// state, because a concrete state is three times as fast.
    private nonisolated(unsafe) var state: State

    package init(_ state: State) { self.state = state }

    package var latest: (state: State, version: Version) {
        monitor.read { progress in (state, Version(number: progress.number)) }
    }

    /// The number of tasks that wait for a newer state.
    package var waiting: Int { monitor.waiting }

    /// Replaces the state and wakes the waiting readers.
    package func set(_ state: State) {
        // Release the old state outside of the lock, because its deinit may set the next state.
        var other = state
        monitor.withLock { progress, effects in
            swap(&self.state, &other)
            progress.number += 1
            effects.resumeAll()
        }
    }

    /// Ends the broadcast: there are no newer states.
    package func end() {
        monitor.withLock { progress, effects in
            progress.hasEnded = true
            effects.resumeAll()
        }
    }

    /// Waits for a state that is newer than `version`.
    ///
    /// - Returns: the newest state; nil at the end, or if the task is cancelled.
    package func next(after version: Version) async -> (state: State, version: Version)? {
        while true {
            // Read the state when the waiter runs and not when it is woken, since it may have
            // changed in between.
            switch look(after: version) {
            case .newer(let state, let version): return (state, version)
            case .end: return nil
            case .waits(let ticket): guard await monitor.waitUnlessCancelled(for: ticket) else { return nil }
            }
        }
    }

    private enum Look {
        case newer(State, Version)
        case end
        case waits(WaitTicket)
    }

    private func look(after version: Version) -> Look {
        var newest: State?
        let look = monitor.withLock { progress, effects in
            let look = progress.look(after: version.number, &effects)
            if case .newer = look { newest = state }
            return look
        }
        switch look {
        case .newer(let number):
            guard let newest else { preconditionFailure("a broadcast has told of a state without it") }
            return .newer(newest, Version(number: number))
        case .end: return .end
        case .waits(let ticket): return .waits(ticket)
        }
    }
}

/// The part of a broadcast that does not depend on the type of its state.
private struct BroadcastProgress: Sendable {
    enum Look: Sendable {
        case newer(UInt64)
        case end
        case waits(WaitTicket)
    }

    var number: UInt64 = 1
    var hasEnded = false

    func look(after known: UInt64, _ effects: inout Effects) -> Look {
        if Task.isCancelled { return .end }
        if number > known { return .newer(number) }
        return hasEnded ? .end : .waits(effects.reserve())
    }
}
