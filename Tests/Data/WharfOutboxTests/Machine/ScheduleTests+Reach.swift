import Testing
import WharfCore
import WharfStorage

@testable import WharfOutbox

// Destinations that are unreachable.
extension ScheduleTests {
    @Test mutating func offlineProbesBackOffToTheirCap() {
        settle()
        var (pauses, now): ([Int64], Int64) = ([], 0)
        for _ in 0..<6 {
            schedule.recordOffline(
                "api", schedule.generation(of: "api"), isOnline: nil, at: at(now).uptime, using: &random)
            guard case .findNextDue = schedule.next(at: at(now)) else {
                Issue.record("it looks for what can't be reached")
                return
            }
            guard case .wait(let pause) = schedule.next(at: at(now)) else {
                Issue.record("it does not wait")
                return
            }
            pauses.append((pause + .milliseconds(1)).wholeSeconds)
            now += pauses[pauses.count - 1]
            #expect(schedule.next(at: at(now)) == .lease("api", lanes: 2))
        }
        #expect(pauses == [4, 8, 16, 32, 60, 60])
    }

    @Test mutating func answerResetsTheProbeBackoff() {
        settle()
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: nil, at: at(0).uptime, using: &random)
        _ = schedule.next(at: at(4))
        #expect(schedule.recordReached("api", lane: "lane") == false)
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: nil, at: at(4).uptime, using: &random)
        _ = schedule.next(at: at(4))
        guard case .wait(let pause) = schedule.next(at: at(4)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(pause <= .seconds(4))
    }

    @Test mutating func manyLanesThatAreOfflineAtOnceCountOnce() {
        settle()
        let generation = schedule.generation(of: "api")
        #expect(schedule.mayContinue(generation, for: "api"))
        for _ in 0..<20 { schedule.recordOffline("api", generation, isOnline: nil, at: at(0).uptime, using: &random) }
        #expect(!schedule.mayContinue(generation, for: "api"))
        // A lane that has not attempted anything may try, as only the other lanes may be affected.
        #expect(schedule.mayContinue(generation, for: "api", isFirst: true))
        #expect(schedule.next(at: at(4)) == .lease("api", lanes: 2))
    }

    @Test mutating func answerReopensADestinationClosedByAnotherLane() {
        settle()
        let generation = schedule.generation(of: "api")
        schedule.recordOffline("api", generation, isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        #expect(schedule.recordReached("api", lane: "other") == true)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
        schedule.recordLease(0, of: "api", asked: 2)
        // Entries due at the closed destination were not looked for.
        #expect(schedule.next(at: at(0)) == .findNextDue(["api"]))
        // An attempt that began before the destination opened can't close it again.
        schedule.recordOffline("api", generation, isOnline: nil, at: at(0).uptime, using: &random)
        schedule.wake()
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func laneUnreachedWhileOthersAreReachedIsAlone() {
        settle()
        let before = schedule.successCounts("api").answers
        // No lane was reached since this one began.
        #expect(schedule.recordUnreached("api", lane: "bad", since: before) == false)
        _ = schedule.recordReached("api", lane: "good")
        // Another lane was reached while this one was in flight.
        #expect(schedule.recordUnreached("api", lane: "slow", since: before) == true)
        #expect(schedule.recordUnreached("api", lane: "late", since: schedule.successCounts("api").answers) == false)
        // Another lane was reached between this lane's last attempt and this one.
        #expect(schedule.recordUnreached("api", lane: "bad", since: schedule.successCounts("api").answers) == true)
        // No lane was reached since then, so the destination may be unreachable for all.
        #expect(schedule.recordUnreached("api", lane: "bad", since: schedule.successCounts("api").answers) == false)
        // The lane itself was reached, so earlier answers of other lanes no longer count.
        _ = schedule.recordReached("api", lane: "bad")
        #expect(schedule.recordUnreached("api", lane: "bad", since: schedule.successCounts("api").answers) == false)
        _ = schedule.recordReached("api", lane: "good")
        schedule.closeBreakers()
        #expect(schedule.recordUnreached("api", lane: "bad", since: schedule.successCounts("api").answers) == false)
        #expect(schedule.recordUnreached("nobody", lane: "bad", since: 0) == false)
    }

    @Test mutating func replacementDestinationIsTriedAtOnce() {
        settle()
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: false, at: at(0).uptime, using: &random)
        let old = schedule.generation(of: "api")
        schedule.register("api")
        #expect(!schedule.mayContinue(old, for: "api"))
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func probesAreRareWhenTheSystemReportsNoNetwork() {
        settle()
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: false, at: at(0).uptime, using: &random)
        _ = schedule.next(at: at(0))
        #expect(schedule.next(at: at(0)) == .wait(.seconds(60)))
        schedule.closeBreakers()
        #expect(schedule.next(at: at(1)) == .lease("api", lanes: 2))
        // The system's online state is only a hint, and does not prove that the destination is
        // reachable.
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: true, at: at(1).uptime, using: &random)
        #expect(schedule.next(at: at(5)) == .lease("api", lanes: 2))
    }

    @Test mutating func offlineAnswerFromBeforeTheNetworkReturnedIsIgnored() {
        settle()
        let old = schedule.generation(of: "api")
        schedule.closeBreakers()
        schedule.recordOffline("api", old, isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .lease("api", lanes: 2))
    }

    @Test mutating func offlineDestinationHoldsNoOther() {
        settle()
        schedule.register("mail")
        schedule.recordOffline("api", schedule.generation(of: "api"), isOnline: nil, at: at(0).uptime, using: &random)
        #expect(schedule.next(at: at(0)) == .lease("mail", lanes: 2))
        schedule.recordLease(0, of: "mail", asked: 2)
        #expect(schedule.next(at: at(0)) == .findNextDue(["api", "mail"]))
    }
}
