/// The newest state, for any number of readers that wait for a newer one.
///
/// A slow reader misses states in between, and never the last one.
package final class Broadcast<State: Sendable>: Sendable {
    /// The number of a state. A later state has a larger one.
    package struct Version: Sendable, Comparable {
        @usableFromInline var number: UInt64

        @usableFromInline init(number: UInt64) { self.number = number }

        /// Before the first state.
        package static var none: Self { Self(number: 0) }
        @inlinable package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
    }

    @usableFromInline struct Content: Sendable {
        @usableFromInline var version = Version(number: 1)
        @usableFromInline var hasEnded = false
        @usableFromInline var state: State

        @usableFromInline init(state: State) { self.state = state }
    }

    @usableFromInline enum Look: Sendable {
        case newer(State, Version)
        case end
        case waits(WaitTicket)
    }

    @usableFromInline let monitor: Monitor<Content>

    package init(_ state: State) { monitor = Monitor(Content(state: state)) }

    @inlinable package var latest: (state: State, version: Version) { monitor.read { ($0.state, $0.version) } }

    /// Tasks that wait for a newer state.
    package var waiting: Int { monitor.waiting }

    /// Replaces the state, and wakes the readers that wait.
    @inlinable package func set(_ state: State) {
        // The old state is released outside of the lock: its deinit may set the next state.
        var other = state
        monitor.withLock { content, effects in
            swap(&content.state, &other)
            content.version.number += 1
            effects.resumeAll()
        }
    }

    /// Ends the sequence: no newer state comes.
    package func end() {
        monitor.withLock { content, effects in
            content.hasEnded = true
            effects.resumeAll()
        }
    }

    /// Waits for a state that is newer than `version`.
    ///
    /// - Returns: the newest state; nil at the end, or if the task is cancelled.
    @inlinable package func next(after version: Version) async -> (state: State, version: Version)? {
        while true {
            // Read when the waiter runs and not when it was woken: states in between count.
            switch look(after: version) {
            case .newer(let state, let version): return (state, version)
            case .end: return nil
            case .waits(let ticket): guard await monitor.waitUnlessCancelled(for: ticket) else { return nil }
            }
        }
    }

    @inlinable func look(after version: Version) -> Look {
        monitor.withLock { content, effects in
            if Task.isCancelled { return .end }
            if content.version > version { return .newer(content.state, content.version) }
            return content.hasEnded ? .end : .waits(effects.reserve())
        }
    }
}
