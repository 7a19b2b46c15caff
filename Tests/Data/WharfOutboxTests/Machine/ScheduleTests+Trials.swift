import Testing
import WharfCore
import WharfPrimitives

@testable import WharfOutbox

// Lanes that are tried while their destination is considered unreachable.
extension ScheduleTests {
    /// Closes the destination from 0 to 300, by a lane that was not reached.
    private mutating func close(nextDue: WallTime? = nil, isOnline: Bool? = nil, isCrowded: Bool = false) {
        schedule = Schedule(
            width: 2, probes: Backoff(base: .seconds(300), cap: .seconds(300)))
        settle()
        if isCrowded {
            schedule.leased(2, of: "api", asked: 2)
            for _ in 0..<2 { schedule.finished("api") }
        }
        _ = schedule.isAlone("api", lane: "bad", since: 0)
        schedule.offline("api", schedule.pass(for: "api"), isOnline: isOnline, at: at(0).uptime, using: &random)
        if !isCrowded || isOnline == false { rest(nextDue, at: 0) }
    }

    private mutating func expectRest(longerThan least: Int64, at seconds: Int64) {
        guard case .rest(let pause) = schedule.next(at: at(seconds)), pause > .seconds(least) else {
            Issue.record("it does not rest for \(least) s")
            return
        }
    }

    private mutating func rest(_ nextDue: WallTime?, at seconds: Int64) {
        #expect(schedule.next(at: at(seconds)) == .findNextDue(["api"]))
        schedule.found(NextDue(time: nextDue), at: at(seconds), answered: at(seconds).uptime)
    }

    @Test mutating func dueLaneIsTriedAtOnceWhileOthersAreUnreachable() {
        close(nextDue: .start + .seconds(20))
        #expect(schedule.next(at: at(0)) == .rest(.seconds(20)))
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
        // The unreached lane may come before it.
        #expect(schedule.tried(of: "api") == ["bad"])
        schedule.foundUntried(of: "api")
        schedule.leased(1, of: "api", asked: 1)
        let pass = schedule.pass(for: "api")
        #expect(schedule.holds(pass, for: "api", isFirst: true))
        #expect(schedule.reached("api", lane: "good") == true)
        #expect(schedule.holds(pass, for: "api"))
        #expect(schedule.next(at: at(20)) == .lease("api", lanes: 1))
    }

    @Test mutating func dueLaneIsTriedDespiteAnEarlierUnrelatedEvent() {
        for happening in ["end", "wake"] {
            close(nextDue: .start + .seconds(20))
            let before = Moment(
                wall: .start + .milliseconds(19_999), uptime: at(20).uptime + .milliseconds(-1))
            #expect(schedule.next(at: before) == .rest(.milliseconds(1)))
            if happening == "end" { schedule.finished("mail") } else { schedule.wake() }
            #expect(schedule.next(at: at(20)) == .tryUntried("api"), "\(happening)")
            // One trial for each due time that was reported.
            schedule.leased(0, of: "api", asked: 1)
            rest(nil, at: 20)
            expectRest(longerThan: 279, at: 20)
        }
    }

    @Test mutating func laneMadeDueByADecisionOrAnotherDestinationIsTried() {
        for happening in ["another's end", "a decision", "its own end"] {
            close()
            expectRest(longerThan: 299, at: 0)
            switch happening {
            case "a decision": schedule.decided()
            case "its own end":
                schedule.leased(1, of: "api", asked: 1)
                schedule.finished("api")
            default: schedule.finished("mail")
            }
            if happening == "its own end" {
                rest(nil, at: 0)
                expectRest(longerThan: 299, at: 0)
            } else {
                #expect(schedule.next(at: at(0)) == .tryUntried("api"), "\(happening)")
            }
        }
    }

    @Test mutating func earliestReportedDueTimeStartsATrial() {
        close(nextDue: .start + .seconds(20))
        schedule.wake()
        rest(.start + .seconds(40), at: 10)
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
        close()
        schedule.wake()
        schedule.found(NextDue(time: .start + .seconds(20)), at: at(10), answered: at(10).uptime)
        #expect(schedule.next(at: at(20)) == .tryUntried("api"))
    }

    @Test mutating func trialsAreSpacedAndDelayNoProbe() {
        close(nextDue: .start + .seconds(20))
        for (seconds, next) in [(20, 50), (50, 80)] as [(Int64, Int64)] {
            #expect(schedule.next(at: at(seconds)) == .tryUntried("api"))
            schedule.foundUntried(of: "api")
            schedule.leased(1, of: "api", asked: 1)
            let pass = schedule.pass(for: "api")
            _ = schedule.isAlone("api", lane: "\(seconds)", since: 0)
            schedule.offline("api", pass, isOnline: nil, at: at(seconds).uptime, using: &random)
            schedule.finished("api")
            rest(nil, at: seconds)
            #expect(schedule.next(at: at(seconds)) == .rest(.seconds(next - seconds)), "\(seconds)")
        }
        #expect(schedule.next(at: at(80)) == .tryUntried("api"))
        // None was found, so the schedule does not look again.
        schedule.leased(0, of: "api", asked: 1)
        expectRest(longerThan: 219, at: 80)
        #expect(schedule.next(at: at(300)) == .lease("api", lanes: 2))
    }

    @Test mutating func entryOfAnUntriedLaneIsTried() {
        close()
        schedule.came(to: "bad", of: "api")
        expectRest(longerThan: 299, at: 0)
        schedule.came(to: "new", of: "api")
        #expect(schedule.next(at: at(0)) == .tryUntried("api"))
        schedule.came(to: "newer", of: "api")
        #expect(schedule.next(at: at(1)) == .rest(.seconds(29)))
        #expect(schedule.next(at: at(30)) == .tryUntried("api"))
    }

    @Test mutating func laneUnreachedBeforeAnAnswerIsTriedAgain() {
        close()
        _ = schedule.reached("api", lane: "other")
        #expect(schedule.tried(of: "api").isEmpty)
        _ = schedule.isAlone("api", lane: "bad", since: 0)
        #expect(schedule.tried(of: "api") == ["bad"])
    }

    @Test mutating func laneThatWaitedForASeatIsTried() {
        close()
        #expect(schedule.next(at: at(300)) == .lease("api", lanes: 2))
        schedule.leased(2, of: "api", asked: 2)
        let pass = schedule.pass(for: "api")
        schedule.offline("api", pass, isOnline: nil, at: at(300).uptime, using: &random)
        // The lanes in flight hold all permits.
        #expect(schedule.next(at: at(300)) == .findNextDue(["api"]))
        schedule.finished("api")
        #expect(schedule.next(at: at(300)) == .tryUntried("api"))
    }

    @Test mutating func trialNeedsADueLaneAndNoConnectivityReport() {
        close()
        expectRest(longerThan: 299, at: 0)
        close(isOnline: false, isCrowded: true)
        expectRest(longerThan: 299, at: 0)
        close(isCrowded: true)
        #expect(schedule.next(at: at(0)) == .tryUntried("api"))
    }

    @Test mutating func reopenedDestinationResetsItsTrials() {
        for opening in ["answer", "network"] {
            close()
            schedule.came(to: "new", of: "api")
            #expect(schedule.next(at: at(0)) == .tryUntried("api"))
            if opening == "answer" { _ = schedule.reached("api", lane: "new") } else { schedule.open() }
            #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
            schedule.leased(0, of: "api", asked: 2)
            schedule.offline("api", schedule.pass(for: "api"), isOnline: nil, at: at(1).uptime, using: &random)
            schedule.came(to: "newer", of: "api")
            guard case .tryUntried = schedule.next(at: at(1)) else {
                Issue.record("\(opening): it waits for a trial of before")
                return
            }
        }
    }

    @Test mutating func rememberedLanesAreBounded() {
        settle()
        for lane in 0...LaneFailures.most { _ = schedule.isAlone("api", lane: "\(lane)", since: 0) }
        #expect(schedule.tried(of: "api").count == LaneFailures.most + 1)
        _ = schedule.isAlone("api", lane: "one more", since: 0)
        #expect(schedule.tried(of: "api") == ["one more"])
    }
}
