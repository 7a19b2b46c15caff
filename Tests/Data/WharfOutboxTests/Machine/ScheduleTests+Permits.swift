import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfOutbox

extension Schedule {
    /// Ends a lane whose answer has arrived and is settled.
    mutating func finishLane(_ name: String) {
        _ = releasePermit(name)
        endLane(name)
    }

    /// Releases the permit of a lane whose answer has arrived.
    ///
    /// - Returns: whether there is something to lease for the lane that gets the permit.
    mutating func releasePermit(_ name: String) -> Bool {
        releasePermit(name, at: Uptime(boot: "test", nanoseconds: 0)).isWanted
    }

    /// The number of lanes that the schedule wants to lease, or nil if its next step is another
    /// one.
    fileprivate mutating func asked() -> Int? {
        let now = ClockReading(wall: .start, uptime: Uptime(boot: "test", nanoseconds: 0))
        guard case .lease("api", let lanes) = next(at: now) else { return nil }
        return lanes
    }

    /// Leases as many lanes as the schedule asks for.
    fileprivate mutating func lease(weight: Int = 0) -> Int {
        let lanes = asked() ?? 0
        if lanes > 0 { recordLease(lanes, of: "api", asked: lanes, weight: weight) }
        return lanes
    }
}

/// Lanes that are leased, and those among them that hold a permit.
@Suite struct SchedulePermitTests {
    private var schedule = Schedule(width: 2, probes: Backoff(base: .milliseconds(200), cap: .seconds(10)))

    init() {
        schedule.isStarted = true
        schedule.register("api")
    }

    @Test mutating func anotherLaneTakesThePermitDuringASettlementCommit() {
        #expect(schedule.lease() == 2)
        #expect(schedule.asked() == nil)
        #expect(schedule.releasePermit("api") == true)
        // One permit is free. The released lane, or one leased in its place, will take it soon.
        #expect(schedule.lease() == 2)
        schedule.acquirePermit("api")
        #expect(schedule.asked() == nil)
        #expect(schedule.isBusy && !schedule.isDrained(at: Uptime(boot: "test", nanoseconds: 0)))
    }

    @Test mutating func lanesWaitingForAPermitStopFurtherLeases() {
        #expect(schedule.lease() == 2)
        _ = schedule.releasePermit("api")
        #expect(schedule.lease() == 2)
        schedule.acquirePermit("api")
        // Four lanes share two permits, so a released permit goes to a waiting lane.
        #expect(schedule.releasePermit("api") == false)
        schedule.acquirePermit("api")
        schedule.finishLane("api")
        #expect(schedule.asked() == nil)
    }

    @Test mutating func releasedPermitWakesTheScheduleOnlyIfMoreMayBeDue() {
        let lanes = schedule.asked() ?? 0
        schedule.recordLease(1, of: "api", asked: lanes)
        #expect(schedule.releasePermit("api") == false)
        schedule.wake()
        schedule.acquirePermit("api")
        #expect(schedule.releasePermit("api") == true)
    }

    @Test mutating func lanesThatAreHeldAreBounded() {
        var held = 0
        while held < DestinationAdmission.mostLanes {
            let lanes = schedule.lease()
            guard lanes > 0 else { break }
            held += lanes
            for _ in 0..<lanes { _ = schedule.releasePermit("api") }
        }
        #expect(held > DestinationAdmission.mostLanes * 3 / 4 && held <= DestinationAdmission.mostLanes)
        // The schedule does not ask after each lane that ends.
        for _ in 0..<held - DestinationAdmission.mostLanes * 3 / 4 {
            #expect(schedule.asked() == nil)
            schedule.endLane("api")
            schedule.wake()
        }
        #expect(schedule.asked() == DestinationAdmission.mostLanes / 4)
    }

    @Test mutating func payloadInMemoryIsBoundedWithFewLanes() {
        #expect(schedule.lease(weight: DestinationAdmission.mostWeight) == 2)
        _ = schedule.releasePermit("api")
        #expect(schedule.asked() == nil)
        // Lanes are leased up to the number of permits, regardless of their weight.
        schedule.endLane("api", weight: 0)
        #expect(schedule.asked() == 1)
        schedule.recordLease(1, of: "api", asked: 1)
        _ = schedule.releasePermit("api")
        schedule.endLane("api", weight: DestinationAdmission.mostWeight)
        #expect(schedule.lease() == 1)
        _ = schedule.releasePermit("api")
        #expect(schedule.lease() == 2)
    }

    @Test mutating func pageIsSmallWhenLanesAreMany() {
        #expect(schedule.page(of: "api") == 64)
        _ = schedule.lease()
        #expect(schedule.page(of: "api") == 8)
        var wide = Schedule(width: 100, probes: Backoff(base: .milliseconds(200), cap: .seconds(10)))
        wide.register("api")
        #expect(wide.page(of: "api") == 10)
    }
}
