import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfOutbox

// Lanes that are tried while their destination is considered unreachable.
extension ScheduleTests {
    /// Closes the destination from 0 to 300, by a lane that was not reached.
    private mutating func close(nextDue: WallTime? = nil, isOnline: Bool? = nil, isCrowded: Bool = false) {
        schedule = Schedule(
            width: 2, probes: Backoff(base: .seconds(300), cap: .seconds(300)))
        settle()
        if isCrowded {
            schedule.recordLease(2, of: "api", asked: 2)
            for _ in 0..<2 { schedule.finishLane("api") }
        }
        _ = schedule.recordUnreached("api", lane: "bad", since: 0)
        schedule.recordOffline(
            "api", schedule.generation(of: "api"), isOnline: isOnline, at: at(0).uptime, using: &random)
        if !isCrowded || isOnline == false { wait(nextDue, at: 0) }
    }

    private mutating func expectWait(longerThan least: Int64, at seconds: Int64) {
        guard case .wait(let pause) = schedule.next(at: at(seconds)), pause > .seconds(least) else {
            Issue.record("it does not wait for \(least) s")
            return
        }
    }

    private mutating func wait(_ nextDue: WallTime?, at seconds: Int64) {
        #expect(schedule.next(at: at(seconds)) == .findNextDue(["api"]))
        schedule.recordNextDue(NextDue(time: nextDue), at: at(seconds), answered: at(seconds).uptime)
    }

    @Test mutating func dueLaneIsTriedAtOnceWhileOthersAreUnreachable() {
        close(nextDue: .start + .seconds(20))
        #expect(schedule.next(at: at(0)) == .wait(.seconds(20)))
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
        // The unreached lane may come before it.
        #expect(schedule.tried(of: "api") == ["bad"])
        schedule.lookForUntried(of: "api")
        schedule.recordLease(1, of: "api", asked: 1)
        let generation = schedule.generation(of: "api")
        #expect(schedule.mayContinue(generation, for: "api", isFirst: true))
        #expect(schedule.recordReached("api", lane: "good") == true)
        #expect(schedule.mayContinue(generation, for: "api"))
        #expect(schedule.next(at: at(20)) == .lease("api", lanes: 1))
    }

    @Test mutating func dueLaneIsTriedDespiteAnEarlierUnrelatedEvent() {
        for happening in ["end", "wake"] {
            close(nextDue: .start + .seconds(20))
            let before = ClockReading(
                wall: .start + .milliseconds(19_999), uptime: at(20).uptime + .milliseconds(-1))
            #expect(schedule.next(at: before) == .wait(.milliseconds(1)))
            if happening == "end" { schedule.finishLane("mail") } else { schedule.wake() }
            #expect(schedule.next(at: at(20)) == .tryUntried("api"), "\(happening)")
            // One trial for each due time that was reported.
            schedule.recordLease(0, of: "api", asked: 1)
            wait(nil, at: 20)
            expectWait(longerThan: 279, at: 20)
        }
    }

    @Test mutating func laneMadeDueByADecisionOrAnotherDestinationIsTried() {
        for happening in ["another's end", "a decision", "its own end"] {
            close()
            expectWait(longerThan: 299, at: 0)
            switch happening {
            case "a decision": schedule.recordDecision()
            case "its own end":
                schedule.recordLease(1, of: "api", asked: 1)
                schedule.finishLane("api")
            default: schedule.finishLane("mail")
            }
            if happening == "its own end" {
                wait(nil, at: 0)
                expectWait(longerThan: 299, at: 0)
            } else {
                #expect(schedule.next(at: at(0)) == .tryUntried("api"), "\(happening)")
            }
        }
    }

    @Test mutating func earliestReportedDueTimeStartsATrial() {
        close(nextDue: .start + .seconds(20))
        schedule.wake()
        wait(.start + .seconds(40), at: 10)
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
        close()
        schedule.wake()
        schedule.recordNextDue(NextDue(time: .start + .seconds(20)), at: at(10), answered: at(10).uptime)
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
    }

    @Test mutating func trialsAreSpacedAndDelayNoProbe() {
        close(nextDue: .start + .seconds(20))
        for (seconds, next) in [(20, 50), (50, 80)] as [(Int64, Int64)] {
            #expect(schedule.next(at: at(seconds)) == .tryUntried("api"))
            schedule.lookForUntried(of: "api")
            schedule.recordLease(1, of: "api", asked: 1)
            let generation = schedule.generation(of: "api")
            _ = schedule.recordUnreached("api", lane: "\(seconds)", since: 0)
            schedule.recordOffline("api", generation, isOnline: nil, at: at(seconds).uptime, using: &random)
            schedule.finishLane("api")
            wait(nil, at: seconds)
            #expect(schedule.next(at: at(seconds)) == .wait(.seconds(next - seconds)), "\(seconds)")
        }
        #expect(schedule.next(at: at(80)) == .tryUntried("api"))
        // None was found, so the schedule does not look again.
        schedule.recordLease(0, of: "api", asked: 1)
        expectWait(longerThan: 219, at: 80)
        #expect(schedule.next(at: at(300)) == .lease("api", lanes: 2))
    }

    @Test mutating func entryOfAnUntriedLaneIsTried() {
        close()
        schedule.recordEntry(in: "bad", of: "api")
        expectWait(longerThan: 299, at: 0)
        schedule.recordEntry(in: "new", of: "api")
        #expect(schedule.next(at: at(0)) == .tryUntried("api"))
        schedule.recordEntry(in: "newer", of: "api")
        #expect(schedule.next(at: at(1)) == .wait(.seconds(29)))
        #expect(schedule.next(at: at(30)) == .tryUntried("api"))
    }

    @Test mutating func laneUnreachedBeforeAnAnswerIsTriedAgain() {
        close()
        _ = schedule.recordReached("api", lane: "other")
        #expect(schedule.tried(of: "api").isEmpty)
        _ = schedule.recordUnreached("api", lane: "bad", since: 0)
        #expect(schedule.tried(of: "api") == ["bad"])
    }

    @Test mutating func laneThatWaitedForAPermitIsTried() {
        close()
        #expect(schedule.next(at: at(300)) == .lease("api", lanes: 2))
        schedule.recordLease(2, of: "api", asked: 2)
        let generation = schedule.generation(of: "api")
        schedule.recordOffline("api", generation, isOnline: nil, at: at(300).uptime, using: &random)
        // The lanes in flight hold all permits.
        #expect(schedule.next(at: at(300)) == .findNextDue(["api"]))
        schedule.finishLane("api")
        #expect(schedule.next(at: at(300)) == .tryUntried("api"))
    }

    @Test mutating func trialNeedsADueLaneAndNoConnectivityReport() {
        close()
        expectWait(longerThan: 299, at: 0)
        close(isOnline: false, isCrowded: true)
        expectWait(longerThan: 299, at: 0)
        close(isCrowded: true)
        #expect(schedule.next(at: at(0)) == .tryUntried("api"))
    }

    @Test mutating func reopenedDestinationResetsItsTrials() {
        for opening in ["answer", "network"] {
            close()
            schedule.recordEntry(in: "new", of: "api")
            #expect(schedule.next(at: at(0)) == .tryUntried("api"))
            if opening == "answer" { _ = schedule.recordReached("api", lane: "new") } else { schedule.closeBreakers() }
            #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
            schedule.recordLease(0, of: "api", asked: 2)
            schedule.recordOffline(
                "api", schedule.generation(of: "api"), isOnline: nil, at: at(1).uptime, using: &random)
            schedule.recordEntry(in: "newer", of: "api")
            guard case .tryUntried = schedule.next(at: at(1)) else {
                Issue.record("\(opening): it waits for a trial of before")
                return
            }
        }
    }

    @Test mutating func rememberedLanesAreBounded() {
        settle()
        for lane in 0...LaneFailures.most { _ = schedule.recordUnreached("api", lane: "\(lane)", since: 0) }
        #expect(schedule.tried(of: "api").count == LaneFailures.most + 1)
        _ = schedule.recordUnreached("api", lane: "one more", since: 0)
        #expect(schedule.tried(of: "api") == ["one more"])
    }
}
