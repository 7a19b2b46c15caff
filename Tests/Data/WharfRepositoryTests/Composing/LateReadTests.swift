import Testing
import WharfChecks
import WharfCore
import WharfFakes

@testable import WharfRepository

/// Work that must go on after its callers left, and work that must be cancelled.
struct LateReadTests {
    private let clock = TestClock()

    @Test func readCancelledBeforeDeadlineCancelsBaseRead() async {
        let base = HangingRepository()
        let row = base.within(.seconds(1), timer: clock)
        let reading = Task { await row.snapshot(id: 1) }
        await base.gate.arrivals(1)
        await clock.untilSleeping()
        reading.cancel()
        #expect(await reading.value.error?.code == .cancelled)
        #expect(base.hanging == 0 && clock.sleepers == 0)
    }

    @Test func alreadyCancelledReadSendsNoRequest() async {
        let stage = LateAnswers()
        let gate = stage.holdUp()
        let reading = Task {
            await Gate().pass()
            return await stage.row.snapshot(id: 1)
        }
        reading.cancel()
        let snapshot = await reading.value
        #expect(snapshot.error?.code == .cancelled && stage.source.requests == 0 && stage.others.requests == 0)
        gate.open()
    }

    @Test func repeatedTimeoutsKeepOneLateReadPerQuery() async {
        let base = HangingRepository()
        let row = base.within(.seconds(1), timer: clock)
        for round in 1...5 {
            let one = Task { await row.snapshot(id: 1) }
            let all = Task { await row.listSnapshot() }
            await clock.untilSleeping(2)
            await base.gate.arrivals(2 * round)
            clock.advance(by: .seconds(1))
            #expect(await one.value.error?.code == .timedOut)
            #expect(await all.value.error?.code == .timedOut)
            await waitUntil { base.hanging <= 2 }
            #expect(base.hanging == 2)
        }
        base.gate.open()
        await waitUntil { base.hanging == 0 }
        #expect(base.begun == 10)
    }

    @Test func endedLateReadMakesRoomForTheNext() async {
        let late = LateReads<Int>(executor: nil)
        for _ in 0..<2 {
            let gate = Gate()
            let reading = Task {
                await gate.pass()
                return Task.isCancelled
            }
            await gate.arrivals(1)
            late.leave(reading, under: 1)
            gate.open()
            #expect(await reading.value == false)
            await waitUntil { late.isEmpty }
        }
    }

    @Test(.trackingLeaks) func lateAnswerReleasesSourceAndRepository() async {
        let stage = LateAnswers()
        trackForLeaks(stage.source)
        let base = Repository(source: stage.source.source, configuration: .init(clock: stage.clock.wall))
        trackForLeaks(base)
        let gate = stage.holdUp()
        let row = base.within(.seconds(1), clock: stage.clock.wall, timer: stage.clock)
        let snapshot = await stage.late(gate) { await row.snapshot(id: 1) }
        #expect(snapshot.error?.code == .timedOut)
        gate.open()
    }

    @Test(.trackingLeaks) func endedObserverLeaksNoRepository() async {
        let stage = LateAnswers()
        let base = Repository(source: stage.source.source, configuration: .init(clock: stage.clock.wall))
        trackForLeaks(base)
        let gate = stage.holdUp()
        let others = Repository(source: stage.others.source, configuration: .init(clock: stage.clock.wall))
        trackForLeaks(others)
        let row = base.within(.seconds(1), clock: stage.clock.wall, timer: stage.clock)
            .orElse(others, named: "popular")
        let observing = Task {
            for await snapshot in row.observe(id: 1) where snapshot.kept?.remote == "popular" { break }
        }
        await gate.arrivals(1)
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(1))
        await observing.value
        gate.open()
    }
}
