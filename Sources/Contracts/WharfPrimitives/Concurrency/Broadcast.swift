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

    /// Changes the state in one step and wakes the waiting readers.
    ///
    /// Use it if the next state depends on the one before. If two tasks called ``set(_:)`` with
    /// states that they made from ``latest``, one would undo the change of the other.
    ///
    /// - Parameter change: runs under the lock. It must be pure.
    package func update(_ change: (inout State) -> Void) {
        // Holds the old state beyond the lock, because its deinit may set the next state.
        var old: State?
        monitor.withLock { progress, effects in
            old = state
            change(&state)
            progress.number += 1
            effects.resumeAll()
        }
        withExtendedLifetime(old) {}
    }

    /// Ends the broadcast: there are no newer states.
    package func end() {
        monitor.withLock { progress, effects in
            // The last state stays readable: a reader that has not seen it gets it before the end.
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

    private enum ReadResult {
        case newer(State, Version)
        case end
        case waits(WaitTicket)
    }

    private func look(after version: Version) -> ReadResult {
        // The state leaves the closure through a variable, so that the result type stays concrete
        // and the monitor specialised.
        var newest: State?
        let look = monitor.withLock { progress, effects in
            let look = progress.look(after: version.number, &effects)
            if case .newer = look { newest = state }
            return look
        }
        switch look {
        case .newer(let number):
            guard let newest else { preconditionFailure("a broadcast announced a state that it does not have") }
            return .newer(newest, Version(number: number))
        case .end: return .end
        case .waits(let ticket): return .waits(ticket)
        }
    }
}

/// The part of a broadcast that does not depend on the type of its state.
private struct BroadcastProgress: Sendable {
    enum ReadResult: Sendable {
        case newer(UInt64)
        case end
        case waits(WaitTicket)
    }

    var number: UInt64 = 1
    var hasEnded = false

    func look(after known: UInt64, _ effects: inout Effects) -> ReadResult {
        // A cancelled reader ends even if a newer state exists. Otherwise frequent states would
        // keep its loop alive.
        if Task.isCancelled { return .end }
        // The comparison and the reservation are one step under the lock, so `set(_:)` can't slip
        // in between and leave the reader asleep.
        if number > known { return .newer(number) }
        return hasEnded ? .end : .waits(effects.reserve())
    }
}
