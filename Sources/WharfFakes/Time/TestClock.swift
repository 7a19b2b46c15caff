internal import Synchronization
public import WharfCore

/// A clock that stands still until the test moves it, for both kinds of time: pauses (`Clock`) and the time of day (``wall``).
public final class TestClock: Clock, Sendable {
    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public var offset: Duration

        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Instant
        var sleepers: [UInt64: Sleeper] = [:]
        var lastID: UInt64 = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State(now: Instant(offset: .zero)))
    private let start: WallTime

    /// - Parameter start: the time of day when the clock has not been moved yet.
    public init(start: WallTime = WallTime(secondsSince1970: 1_000_000_000)) {
        self.start = start
    }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The time of day of this clock.
    public var wall: some WallClock { Wall(clock: self) }

    private struct Wall: WallClock {
        let clock: TestClock
        func now() -> WallTime { clock.start + clock.now.offset }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let slept = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (result, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    if Task.isCancelled { return (false, []) }
                    if deadline <= state.now { return (true, []) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return (nil, Self.satisfied(&state))
                }
                if let result { continuation.resume(returning: result) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        if !slept { throw CancellationError() }
    }

    /// Moves both kinds of time and wakes whoever slept until then, in the order of their deadlines. A negative duration moves the time
    /// back: nobody is woken.
    public func advance(by duration: Duration) { move { $0.advanced(by: duration) } }

    /// Moves both kinds of time to a moment of this clock, such as ``nextDeadline``. One that has passed changes nothing.
    public func advance(to instant: Instant) { move { max($0, instant) } }

    /// Moves both kinds of time until it is that time of day. One that has passed changes nothing.
    public func advance(to time: WallTime) { advance(to: Instant(offset: time - start)) }

    /// When the first of the tasks that sleep on this clock wants to be woken; nil when none sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    private func move(_ change: (Instant) -> Instant) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = change(state.now)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// How many tasks sleep on this clock.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Returns once at least `count` tasks sleep on this clock.
    public func untilSleeping(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let enough = state.withLock { state -> Bool in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if enough { continuation.resume() }
        }
    }

    private static func satisfied(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let reached = state.sleepers.count
        let satisfied = state.watchers.filter { $0.count <= reached }.map(\.continuation)
        state.watchers.removeAll { $0.count <= reached }
        return satisfied
    }
}
