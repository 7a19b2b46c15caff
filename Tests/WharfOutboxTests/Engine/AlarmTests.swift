import Testing
import WharfFakes
import WharfStores

@testable import WharfOutbox

@Suite struct AlarmTests {
    @Test func itRingsAtItsTimeHoweverLateTheSystemBeginsWithIt() throws {
        // One task at a time: that of the alarm begins when this one waits.
        try SeededScheduler(seed: 1).run { scheduler in
            let clock = TestClock()
            let outbox = OutboxEngine(store: MemoryWriteStore(), timer: clock, executor: scheduler)
            let (rings, bell) = AsyncStream.makeStream(of: Void.self)
            let alarm = outbox.alarm(after: .seconds(10)) { bell.finish() }
            clock.advance(by: .seconds(10))
            for await _ in rings {}
            await alarm.value
        }
    }

    @Test func cancelledItDoesNotRing() async {
        let clock = TestClock()
        let outbox = OutboxEngine(store: MemoryWriteStore(), timer: clock)
        let alarm = outbox.alarm(after: .seconds(10)) { Issue.record("it rang") }
        await clock.untilSleeping()
        alarm.cancel()
        await alarm.value
        clock.advance(by: .seconds(10))
    }
}
