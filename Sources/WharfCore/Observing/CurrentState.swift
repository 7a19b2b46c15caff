internal import Synchronization

/// The newest state of something, and who waits for a newer one.
///
/// To look for a newer state and to wait for it is one step under a lock: none comes between the two unseen.
package final class CurrentState<State: Sendable>: Sendable {
    package struct Version: Sendable, Comparable {
        fileprivate var number: UInt64

        /// Before the first state.
        package static var none: Self { Self(number: 0) }
        package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
    }

    private struct Inner {
        var state: State
        var version = Version(number: 1)
        var hasEnded = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastID: UInt64 = 0
    }

    private enum Step {
        case newer(State, Version)
        case end
        case wait
    }

    private let inner: Mutex<Inner>

    package init(_ state: State) { inner = Mutex(Inner(state: state)) }

    package var latest: (state: State, version: Version) { inner.withLock { ($0.state, $0.version) } }

    /// How many wait for a newer state.
    package var waiting: Int { inner.withLock { $0.waiting.count } }

    package func set(_ state: State) {
        // Let go of outside of the lock, which is taken again by whatever ends with the old state.
        var other = state
        wake { inner in
            swap(&inner.state, &other)
            inner.version.number += 1
        }
    }

    /// There will be no newer state.
    package func end() {
        wake { $0.hasEnded = true }
    }

    /// The newest state, as soon as there is one behind `version`. Nil at the end, and for a task that was cancelled.
    package func next(after version: Version) async -> (state: State, version: Version)? {
        let id = inner.withLock { inner in
            inner.lastID += 1
            return inner.lastID
        }
        while true {
            await wait(as: id, after: version)
            // Read when the waiter runs and not when it was woken: what was set in between counts.
            switch inner.withLock({ Self.step($0, after: version) }) {
            case .newer(let state, let version): return (state, version)
            case .end: return nil
            case .wait: continue
            }
        }
    }

    /// Returns at once where there is something to read.
    private func wait(as id: UInt64, after version: Version) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = inner.withLock { inner -> Bool in
                    guard case .wait = Self.step(inner, after: version) else { return false }
                    inner.waiting[id] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            inner.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private static func step(_ inner: Inner, after version: Version) -> Step {
        if Task.isCancelled { return .end }
        if inner.version > version { return .newer(inner.state, inner.version) }
        return inner.hasEnded ? .end : .wait
    }

    private func wake(_ change: (inout Inner) -> Void) {
        let woken = inner.withLock { inner in
            change(&inner)
            defer { inner.waiting = [:] }
            return inner.waiting.values
        }
        for continuation in woken { continuation.resume() }
    }
}
