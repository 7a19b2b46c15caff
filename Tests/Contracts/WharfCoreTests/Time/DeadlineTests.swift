import Synchronization
import Testing
import WharfCore

@Suite struct DeadlineTests {
    /// A clock that remembers the instant of the last sleep, and ends that sleep.
    private final class RecordingClock: Clock {
        private let last = Mutex<ContinuousClock.Instant?>(nil)

        var asked: ContinuousClock.Instant? { last.withLock { $0 } }
        var now: ContinuousClock.Instant { ContinuousClock.now }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            last.withLock { $0 = deadline }
            throw CancellationError()
        }
    }

    @Test func deadlineOfTheLongestTimeoutIsOneThatClocksAccept() async throws {
        let clock = RecordingClock()
        let deadline = Deadline(after: .seconds(Int64.max), on: clock)
        await #expect(throws: CancellationError.self) { try await deadline.wait() }
        // `ContinuousClock` traps at an instant with more seconds than an Int64.
        let time = ContinuousClock.now.duration(to: try #require(clock.asked))
        #expect(time > .seconds(1_000_000_000) && time < .seconds(Int64.max / 2))
        #expect(deadline.timeout == .seconds(Int64.max))
        #expect(deadline.fromSameStart(after: .seconds(Int64.max)).remaining() > .seconds(1_000_000_000))
    }
}
