import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStorage
import WharfStores

@testable import WharfOutbox

@Suite struct AlarmTests {
    @Test func alarmFiresOnTimeWhenItsTaskStartsLate() throws {
        // One task at a time: the alarm's task starts when this one suspends.
        try SeededScheduler(seed: 1).run { scheduler in
            let clock = TestClock()
            let outbox = OutboxEngine(
                store: MemoryWriteStore(), configuration: .init(timer: clock, executor: scheduler))
            let (rings, bell) = AsyncStream.makeStream(of: Void.self)
            let alarm = outbox.alarm(after: .seconds(10)) { bell.finish() }
            clock.advance(by: .seconds(10))
            for await _ in rings {}
            await alarm.value
        }
    }

    /// Time passes after the engine has read its clocks and before it sets the alarm.
    @Test func alarmSetAfterItsTimeStillFires() throws {
        let batches = try SeededScheduler(seed: 1).run { scheduler in
            let clock = TestClock(start: .start)
            let uptime = StoppingUptime(clock)
            let sink = RecordingBatchDestination(
                "api", kinds: ["note"], limits: BatchLimits(entries: 2, wait: .seconds(30)))
            let outbox = OutboxEngine(
                store: MemoryWriteStore(), destinations: [sink],
                configuration: .init(clock: clock.wall, uptime: uptime, timer: clock, executor: scheduler))
            _ = try? await outbox.enqueue(.sample("a"))
            outbox.start()
            await waitUntil { outbox.wakeUp.isAwaited && clock.nextDeadline?.offset == .seconds(30) }
            uptime.stop(for: .seconds(30))
            outbox.wakeUp.signal()
            await sink.untilReceived(1)
            await outbox.close()
            return sink.batches.count
        }
        #expect(batches == 1)
    }

    @Test func cancelledAlarmDoesNotFire() async {
        let clock = TestClock()
        let outbox = OutboxEngine(store: MemoryWriteStore(), configuration: .init(timer: clock))
        let alarm = outbox.alarm(after: .seconds(10)) { Issue.record("it rang") }
        await clock.untilSleeping()
        alarm.cancel()
        await alarm.value
        clock.advance(by: .seconds(10))
    }
}

/// An uptime clock whose next reading is followed by a pause of the process.
private final class StoppingUptime: UptimeClock {
    private let clock: TestClock
    private let stop = Mutex(Duration.zero)

    init(_ clock: TestClock) { self.clock = clock }

    func stop(for duration: Duration) { stop.withLock { $0 = duration } }

    func now() -> Uptime {
        let now = clock.uptime.now()
        let duration = stop.withLock { stop in
            defer { stop = .zero }
            return stop
        }
        if duration > .zero { clock.advance(by: duration) }
        return now
    }
}
