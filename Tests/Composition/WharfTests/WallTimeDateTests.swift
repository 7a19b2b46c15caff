import Foundation
import Testing
import Wharf

/// Wall times as dates and as text.
struct WallTimeDateTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (784_111_777_000_000_000, "1994-11-06T08:49:37Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"), (1_500_000_000, "1970-01-01T00:00:01.5Z"),
        (Int64.min + 1, "1677-09-21T00:12:43.145224193Z"), (Int64.max - 1, "2262-04-11T23:47:16.854775806Z"),
        (Int64.min, "the distant past"), (Int64.max, "the distant future"),
    ])
    func aTimeIsTextByRFC3339(nanoseconds: Int64, text: String) {
        #expect("\(WallTime(nanoseconds: nanoseconds))" == text)
    }

    @Test(arguments: [0, 1_500_000, 1_795_123_456_789_012, -62_135_596_800 * 1000, 9_000_000_000_000_000])
    func wallTimeRoundTripsThroughDate(microseconds: Int64) {
        let time = WallTime(nanoseconds: 0) + .microseconds(microseconds)
        #expect(WallTime(Date(time)) == time)
        #expect(abs(Date(time).timeIntervalSince1970 - Double(microseconds) / 1e6) < 1e-6)
    }

    @Test func datesBeyondTheRangeAreClamped() {
        #expect(WallTime(Date.distantFuture) == .distantFuture)
        #expect(WallTime(Date.distantPast) == .distantPast)
        #expect(WallTime(Date(timeIntervalSinceReferenceDate: .infinity)) == .distantFuture)
        #expect(WallTime(Date(timeIntervalSinceReferenceDate: -.infinity)) == .distantPast)
    }

    @Test func nowIsTheTimeOfTheSystem() {
        let before = WallTime(Date())
        let now = WallTime.now
        #expect(now - before > .seconds(-1) && WallTime(Date()) - now > .seconds(-1))
    }

    @Test func aSnapshotSaysItsAge() {
        let kept = Snapshot<Int>.Kept(value: 1, source: .store, asOf: .now - .seconds(60))
        #expect((Snapshot(kept: kept).age ?? .zero) >= .seconds(59))
        #expect(Snapshot<Int>(kept: nil).age == nil)
    }
}
