import Testing
import WharfCore

@testable import WharfOutbox

/// When an engine looks, and when it wakes, without clock or store.
@Suite struct ScheduleTests {
    private var random = Largest()
    private var schedule = Schedule(
        width: 2, probes: RetryPolicy(attempts: .max, base: .seconds(4), cap: .seconds(60)))

    private func at(_ seconds: Int64, wall: Int64? = nil) -> Moment {
        Moment(
            wall: .start + .seconds(wall ?? seconds), uptime: Uptime(boot: "test", nanoseconds: seconds * 1_000_000_000)
        )
    }

    /// Started, with one destination of which nothing is due.
    private mutating func settle(nextDue: WallTime? = nil) {
        schedule.isStarted = true
        schedule.register("api")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.found(nextDue: nextDue, at: at(0))
    }

    @Test func whoHasNotStartedDoesNothing() {
        var schedule = schedule
        schedule.register("api")
        #expect(schedule.next(at: at(0)) == .end)
        schedule.drains = 1
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func whereNothingIsDueItRestsUntilTheNextIs() {
        settle(nextDue: .start + .seconds(30))
        #expect(schedule.next(at: at(0)) == .rest(.seconds(30)))
        #expect(schedule.next(at: at(29)) == .rest(.seconds(1)))
        #expect(schedule.next(at: at(30)) == .lease("api", lanes: 2))
    }

    @Test mutating func itLooksAgainAfterAWhileWhateverClocksSay() {
        settle()
        #expect(schedule.next(at: at(0)) == .rest(Schedule.longestRest))
        settle(nextDue: .distantFuture)
        #expect(schedule.next(at: at(0)) == .rest(Schedule.longestRest))
    }

    @Test mutating func aClockThatIsSetBackMakesItRestNoLonger() {
        settle(nextDue: .start + .seconds(30))
        #expect(schedule.next(at: at(10, wall: -9_000)) == .rest(.seconds(20)))
        #expect(schedule.next(at: at(30, wall: -8_980)) == .lease("api", lanes: 2))
        settle(nextDue: .start + .seconds(900))
        #expect(schedule.next(at: at(299, wall: -9_000)) == .rest(.seconds(1)))
        #expect(schedule.next(at: at(300, wall: -9_000)) == .lease("api", lanes: 2))
    }

    @Test mutating func newsWakesIt() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func newsDuringALookIsNotLost() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.wake()
        schedule.leased(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.wake()
        schedule.found(nextDue: .start + .seconds(1_000), at: at(0))
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(0, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
    }

    @Test mutating func lanesTakeSeatsAndGiveThemBack() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.leased(1, of: "api", asked: 2)
        #expect(schedule.isBusy && !schedule.isDry)
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 1))
        schedule.leased(1, of: "api", asked: 1)
        // Nothing is free: it does not look.
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        schedule.ended("api")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 1))
    }

    @Test mutating func asMuchAsWasAskedForMeansThatThereMayBeMore() {
        settle()
        schedule.wake()
        _ = schedule.next(at: at(0))
        schedule.leased(2, of: "api", asked: 2)
        schedule.ended("api")
        schedule.ended("api")
        #expect(!schedule.isDry)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(0, of: "api", asked: 2)
        #expect(schedule.isDry)
    }

    @Test mutating func aBusyDestinationTakesNoOthersSeat() {
        settle()
        schedule.register("mail")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(2, of: "api", asked: 2)
        #expect(schedule.next(at: at(0)) == .lease("mail", lanes: 2))
    }

    @Test mutating func whatCouldNotBeReachedIsTriedAgainAfterPausesThatGrow() {
        settle()
        var (pauses, now): ([Int64], Int64) = ([], 0)
        for _ in 0..<6 {
            schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(now).uptime, using: &random)
            guard case .findNextDue = schedule.next(at: at(now)) else {
                Issue.record("it looks for what can't be reached")
                return
            }
            guard case .rest(let pause) = schedule.next(at: at(now)) else {
                Issue.record("it does not rest")
                return
            }
            pauses.append((pause + .milliseconds(1)).wholeSeconds)
            now += pauses[pauses.count - 1]
            #expect(schedule.next(at: at(now)) == .lease("api", lanes: 2))
        }
        #expect(pauses == [4, 8, 16, 32, 60, 60])
    }

    @Test mutating func anAnswerBeginsThePausesAnew() {
        settle()
        schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(0).uptime, using: &random)
        _ = schedule.next(at: at(4))
        #expect(schedule.reached("api", lane: "lane") == false)
        schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(4).uptime, using: &random)
        _ = schedule.next(at: at(4))
        guard case .rest(let pause) = schedule.next(at: at(4)) else {
            Issue.record("it does not rest")
            return
        }
        #expect(pause <= .seconds(4))
    }

    @Test mutating func manyLanesThatAreOfflineAtOnceCountOnce() {
        settle()
        let pass = schedule.pass(for: "api")
        #expect(schedule.holds(pass, for: "api"))
        for _ in 0..<20 { schedule.offline("api", pass, isOnline: nil, at: at(0).uptime, using: &random) }
        #expect(!schedule.holds(pass, for: "api"))
        // Who has attempted nothing may try: it may be the others' own fault.
        #expect(schedule.holds(pass, for: "api", isFirst: true))
        #expect(schedule.next(at: at(4)) == .lease("api", lanes: 2))
    }

    @Test mutating func anAnswerOpensWhatAnotherLaneHasClosed() {
        settle()
        let pass = schedule.pass(for: "api")
        schedule.offline("api", pass, isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .findNextDue([]))
        #expect(schedule.reached("api", lane: "other") == true)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.leased(0, of: "api", asked: 2)
        // What is due there was not looked for while it was closed.
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        // Who began before it was closed closes it no more.
        schedule.offline("api", pass, isOnline: nil, at: at(0).uptime, using: &random)
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func whoIsNotReachedWhileOthersAreIsAlone() {
        settle()
        let before = schedule.answers(of: "api")
        // Nobody was reached since it began.
        #expect(schedule.isAlone("api", lane: "bad", since: before) == false)
        _ = schedule.reached("api", lane: "good")
        // While it was under way.
        #expect(schedule.isAlone("api", lane: "slow", since: before) == true)
        #expect(schedule.isAlone("api", lane: "late", since: schedule.answers(of: "api")) == false)
        // Between its last attempt and this one.
        #expect(schedule.isAlone("api", lane: "bad", since: schedule.answers(of: "api")) == true)
        // Since then nobody: now there may be no way for anybody.
        #expect(schedule.isAlone("api", lane: "bad", since: schedule.answers(of: "api")) == false)
        // It was reached itself: what was before says nothing.
        _ = schedule.reached("api", lane: "bad")
        #expect(schedule.isAlone("api", lane: "bad", since: schedule.answers(of: "api")) == false)
        _ = schedule.reached("api", lane: "good")
        schedule.open()
        #expect(schedule.isAlone("api", lane: "bad", since: schedule.answers(of: "api")) == false)
        #expect(schedule.isAlone("nobody", lane: "bad", since: 0) == false)
    }

    @Test mutating func aLaneThatWasNotTriedIsWorthAnAttempt() {
        settle()
        _ = schedule.isAlone("api", lane: "bad", since: 0)
        schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(0).uptime, using: &random)
        schedule.came(to: "bad", of: "api")
        #expect(schedule.next(at: at(0)) == .findNextDue([]))
        schedule.came(to: "new", of: "api")
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func anotherInItsPlaceIsTriedAtOnce() {
        settle()
        schedule.offline("api", schedule.pass(for: "api"), isOnline: false, at: at(0).uptime, using: &random)
        let old = schedule.pass(for: "api")
        schedule.register("api")
        #expect(!schedule.holds(old, for: "api"))
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func whereTheSystemTellsOfTheNetworkProbesAreRare() {
        settle()
        schedule.offline("api", schedule.pass(for: "api"), isOnline: false, at: at(0).uptime, using: &random)
        _ = schedule.next(at: at(0))
        #expect(schedule.next(at: at(0)) == .rest(.seconds(60)))
        schedule.open()
        #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
        // The system's word is a hint: that it is online does not mean that there is a way.
        schedule.offline("api", schedule.pass(for: "api"), isOnline: true, at: at(1).uptime, using: &random)
        #expect(schedule.next(at: at(5)) == .lease("api", lanes: 2))
    }

    @Test mutating func whatBeganBeforeTheNetworkCameBackSaysNothingOfIt() {
        settle()
        let old = schedule.pass(for: "api")
        schedule.open()
        schedule.offline("api", old, isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func othersGoOnWhileOneCannotBeReached() {
        settle()
        schedule.register("mail")
        schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .lease("mail", lanes: 2))
        schedule.leased(0, of: "mail", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["mail"]))
    }

    @Test mutating func aPauseEndsTheTurnsOfAllLanes() {
        settle()
        let pass = schedule.pass(for: "api")
        schedule.paused()
        #expect(!schedule.holds(pass, for: "api") && !schedule.holds(pass, for: "api", isFirst: true))
        #expect(schedule.holds(schedule.pass(for: "api"), for: "api"))
    }

    @Test mutating func aStoreThatFailsIsAskedAgainAfterPausesThatGrow() {
        settle()
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.storeFailed(at: at(0).uptime, using: &random)
        guard case .rest(let first) = schedule.next(at: at(0)) else {
            Issue.record("it does not rest")
            return
        }
        #expect(first <= .milliseconds(100))
        #expect(!schedule.isDry)
        #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
        for _ in 0..<20 { schedule.storeFailed(at: at(1).uptime, using: &random) }
        guard case .rest(let later) = schedule.next(at: at(1)) else {
            Issue.record("it does not rest")
            return
        }
        #expect(later > .seconds(29) && later <= .seconds(30))
        schedule.leased(0, of: "api", asked: 2)
        schedule.storeFailed(at: at(1).uptime, using: &random)
        guard case .rest(let again) = schedule.next(at: at(1)) else {
            Issue.record("it does not rest")
            return
        }
        #expect(again <= .milliseconds(100))
    }

    @Test mutating func aClockThatIsSetForwardWakesIt() {
        settle(nextDue: .start + .seconds(200))
        #expect(schedule.next(at: at(1, wall: 5_000)) == .lease("api", lanes: 2))
    }

    @Test mutating func whoIsClosedEnds() {
        settle()
        let pass = schedule.pass(for: "api")
        schedule.isClosed = true
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .end)
        #expect(!schedule.holds(pass, for: "api"))
    }

    @Test func aDrainThatIsOverTakesNothingNewAndWaitsForItsLanes() {
        var schedule = schedule
        schedule.register("api")
        schedule.drains = 1
        _ = schedule.next(at: at(0))
        schedule.leased(1, of: "api", asked: 2)
        schedule.drains = 0
        schedule.wake()
        guard case .rest = schedule.next(at: at(0)) else {
            Issue.record("it does not wait")
            return
        }
        schedule.ended("api")
        #expect(schedule.next(at: at(0)) == .end)
    }
}
