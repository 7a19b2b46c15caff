import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfOutbox

/// The times at which an engine leases and wakes, without clock or store.
@Suite struct ScheduleTests {
    var random = Largest()
    var schedule = Schedule(
        width: 2, probes: Backoff(base: .seconds(4), cap: .seconds(60)))

    func at(_ seconds: Int64, wall: Int64? = nil) -> ClockReading {
        ClockReading(
            wall: .start + .seconds(wall ?? seconds), uptime: Uptime(boot: "test", nanoseconds: seconds * 1_000_000_000)
        )
    }

    /// Starts the schedule with one destination that has no due entry.
    mutating func settle(nextDue: WallTime? = nil) {
        schedule.isStarted = true
        schedule.register("api")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.recordNextDue(NextDue(time: nextDue), at: at(0), answered: at(0).uptime)
    }

    @Test func unstartedScheduleRunsOnlyForADrain() {
        var schedule = schedule
        schedule.register("api")
        #expect(schedule.next(at: at(0)) == .end)
        schedule.drains = 1
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func idleScheduleWaitsUntilTheNextDueTime() {
        settle(nextDue: .start + .seconds(30))
        #expect(schedule.next(at: at(0)) == .wait(.seconds(30)))
        #expect(schedule.next(at: at(29)) == .wait(.seconds(1)))
        #expect(schedule.next(at: at(30)) == .lease("api", lanes: 2))
    }

    @Test mutating func waitIsNeverLongerThanTheLongestWait() {
        settle()
        #expect(schedule.next(at: at(0)) == .wait(Schedule.longestWait))
        settle(nextDue: .distantFuture)
        #expect(schedule.next(at: at(0)) == .wait(Schedule.longestWait))
    }

    @Test mutating func clockSetBackDoesNotProlongTheWait() {
        settle(nextDue: .start + .seconds(30))
        #expect(schedule.next(at: at(10, wall: -9_000)) == .wait(.seconds(20)))
        #expect(schedule.next(at: at(30, wall: -8_980)) == .lease("api", lanes: 2))
        settle(nextDue: .start + .seconds(900))
        #expect(schedule.next(at: at(299, wall: -9_000)) == .wait(.seconds(1)))
        #expect(schedule.next(at: at(300, wall: -9_000)) == .lease("api", lanes: 2))
    }

    @Test mutating func expiringLeaseWakesTheScheduleDespiteTheWallClock() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.recordNextDue(
            NextDue(time: .start + .seconds(200), leaseEndsAfter: .seconds(30)), at: at(0), answered: at(0).uptime)
        #expect(schedule.next(at: at(10, wall: -9_000)) == .wait(.seconds(20)))
        #expect(schedule.next(at: at(30, wall: -8_980)) == .lease("api", lanes: 2))
    }

    /// The store reads its clock between the request and its answer.
    @Test mutating func leaseEndIsCountedFromTheAnswer() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.recordNextDue(NextDue(leaseEndsAfter: .seconds(30)), at: at(0), answered: at(2).uptime)
        #expect(schedule.next(at: at(31)) == .wait(.seconds(1)))
        #expect(schedule.next(at: at(32)) == .lease("api", lanes: 2))
    }

    /// Otherwise neither call would find a delivery that becomes due between the two.
    @Test mutating func nextDueQueryUsesTheTimeOfTheLease() {
        schedule.isStarted = true
        schedule.register("api")
        #expect(schedule.next(at: at(10)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(12)) == .findNextDue(["api"]))
        #expect(schedule.nextDueStart(at: at(12)) == at(10).wall)
        schedule.recordNextDue(NextDue(time: at(11).wall), at: at(12), answered: at(12).uptime)
        #expect(schedule.next(at: at(12)) == .lease("api", lanes: 2))
        schedule.recordLease(1, of: "api", asked: 2)
        #expect(schedule.next(at: at(13)) == .findNextDue(["api"]))
        #expect(schedule.nextDueStart(at: at(13)) == at(12).wall)
        schedule.recordNextDue(NextDue(), at: at(13), answered: at(13).uptime)
        #expect(schedule.nextDueStart(at: at(14)) == at(14).wall)
    }

    @Test mutating func nextDueQueryUsesTheEarliestOfTwoLeases() {
        settle()
        schedule.register("mail")
        #expect(schedule.next(at: at(10, wall: 100)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        // The wall clock is set back for a while.
        #expect(schedule.next(at: at(11, wall: 50)) == .lease("mail", lanes: 2))
        schedule.recordLease(0, of: "mail", asked: 2)
        #expect(schedule.next(at: at(12, wall: 102)) == .findNextDue(["api", "mail"]))
        #expect(schedule.nextDueStart(at: at(12, wall: 102)) == at(50).wall)
    }

    /// The engine reads its clock again for the question.
    @Test mutating func nextDueQueryWithoutALeaseUsesItsDecisionTime() {
        settle(nextDue: .start + .seconds(20))
        schedule.recordOffline(
            "api", schedule.generation(of: "api"), isOnline: false, at: at(10).uptime, using: &random)
        #expect(schedule.next(at: at(19)) == .findNextDue(["api"]))
        #expect(schedule.nextDueStart(at: at(21)) == at(19).wall)
    }

    @Test mutating func discardedNextDueAnswerLeavesTheQueryTime() {
        schedule.isStarted = true
        schedule.register("api")
        #expect(schedule.next(at: at(10)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(10)) == .findNextDue(["api"]))
        schedule.recordOffline(
            "api", schedule.generation(of: "api"), isOnline: false, at: at(12).uptime, using: &random)
        schedule.recordNextDue(NextDue(time: at(11).wall), at: at(12), answered: at(12).uptime)
        #expect(schedule.nextDueStart(at: at(13)) == at(10).wall)
    }

    @Test mutating func notificationWakesTheSchedule() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func notificationDuringANextDueQueryIsNotLost() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.wake()
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.wake()
        schedule.recordNextDue(NextDue(time: .start + .seconds(1_000)), at: at(0), answered: at(0).uptime)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
    }

    @Test mutating func lanesAcquireAndReleasePermits() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.recordLease(1, of: "api", asked: 2)
        #expect(schedule.isBusy && !schedule.isDrained(at: at(0).uptime))
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 1))
        schedule.recordLease(1, of: "api", asked: 1)
        // No permit is free, so the schedule does not lease.
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.finishLane("api")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 1))
    }

    @Test mutating func fullLeaseMeansMoreMayBeDue() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.recordLease(2, of: "api", asked: 2)
        schedule.finishLane("api")
        schedule.finishLane("api")
        #expect(!schedule.isDrained(at: at(0).uptime))
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        #expect(schedule.isDrained(at: at(0).uptime))
    }

    @Test mutating func busyDestinationTakesNoPermitOfAnother() {
        settle()
        schedule.register("mail")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(2, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .lease("mail", lanes: 2))
    }

    @Test mutating func failingStoreIsRetriedWithBackoff() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordStoreFailure(at: at(0).uptime, using: &random)
        guard case .wait(let first) = schedule.next(at: at(0)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(first <= .milliseconds(100))
        #expect(!schedule.isDrained(at: at(0).uptime))
        #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
        for _ in 0..<20 { schedule.recordStoreFailure(at: at(1).uptime, using: &random) }
        guard case .wait(let later) = schedule.next(at: at(1)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(later > .seconds(29) && later <= .seconds(30))
        schedule.recordLease(0, of: "api", asked: 2)
        schedule.recordStoreFailure(at: at(1).uptime, using: &random)
        guard case .wait(let again) = schedule.next(at: at(1)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(again <= .milliseconds(100))
    }

    @Test mutating func clockSetForwardWakesTheSchedule() {
        settle(nextDue: .start + .seconds(200))
        #expect(schedule.next(at: at(1, wall: 5_000)) == .lease("api", lanes: 2))
    }

    @Test mutating func closedScheduleEnds() {
        settle()
        let generation = schedule.generation(of: "api")
        schedule.isClosed = true
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .end)
        #expect(!schedule.mayContinue(generation, for: "api"))
    }

    @Test func endedDrainLeasesNothingAndWaitsForItsLanes() {
        var schedule = schedule
        schedule.register("api")
        schedule.drains = 1
        _ = schedule.next(at: at(0))
        schedule.recordLease(1, of: "api", asked: 2)
        schedule.drains = 0
        schedule.wake()
        guard case .wait = schedule.next(at: at(0)) else {
            Issue.record("it does not wait")
            return
        }
        schedule.finishLane("api")
        #expect(schedule.next(at: at(0)) == .end)
    }
}
