import Synchronization
import Testing
import WharfCore
import WharfFakes

@Suite struct TestClockTests {
    @Test func bothKindsOfTimeMoveTogether() {
        let start = WallTime(secondsSince1970: 500)
        let clock = TestClock(start: start)
        let wall = clock.wall
        #expect(wall.now() == start)
        clock.advance(by: .seconds(3))
        #expect(clock.now.offset == .seconds(3))
        #expect(wall.now() == start + .seconds(3))
    }

    @Test func aSleeperWakesWhenItsTimeHasComeAndNotBefore() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(9_999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleepers == 0)
        try await task.value
    }

    @Test func sleepersWakeInTheOrderOfTheirDeadlines() throws {
        let order = try SeededScheduler(seed: 1).run { scheduler in
            let clock = TestClock()
            let woken = Woken()
            await withTaskGroup { group in
                for seconds in [3, 1, 2] {
                    group.addTask {
                        do { try await clock.sleep(for: .seconds(seconds)) } catch { return }
                        woken.order.withLock { $0.append(seconds) }
                    }
                }
                await clock.untilSleeping(3)
                while let next = clock.nextDeadline {
                    clock.advance(to: next)
                    while woken.order.withLock({ $0.count }) + clock.sleepers < 3 { await Task.yield() }
                }
            }
            return woken.order.withLock { $0 }
        }
        #expect(order == [1, 2, 3])
    }

    @Test func sleepUntilAPastInstantReturnsAtOnce() async throws {
        let clock = TestClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)), tolerance: nil)
        try await clock.sleep(for: .seconds(-1))
    }

    @Test func aCancelledSleepThrowsAndIsForgotten() async {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.untilSleeping()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0 && clock.nextDeadline == nil)
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotSleep() async {
        let clock = TestClock()
        let gate = Gate()
        let task = Task {
            await gate.pass()
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func clockAdvancesToAnInstantAndNeverBack() {
        let clock = TestClock(start: WallTime(secondsSince1970: 100))
        clock.advance(to: WallTime(secondsSince1970: 160))
        #expect(clock.now.offset == .seconds(60))
        clock.advance(to: TestClock.Instant(offset: .seconds(70)))
        clock.advance(to: TestClock.Instant(offset: .seconds(10)))
        clock.advance(to: WallTime(secondsSince1970: 0))
        #expect(clock.now.offset == .seconds(70))
    }

    @Test func untilSleepingReturnsWhenEnoughTasksSleep() async throws {
        let clock = TestClock()
        let waiting = Task { await clock.untilSleeping(2) }
        let first = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.untilSleeping(1)
        let second = Task { try await clock.sleep(for: .seconds(2)) }
        await waiting.value
        #expect(clock.sleepers == 2)
        clock.advance(by: .seconds(2))
        try await first.value
        try await second.value
    }
}

private final class Woken: Sendable {
    let order = Mutex<[Int]>([])
}
