import Testing
import WharfCore
import WharfFaults
import WharfRandom

@Suite struct PlanTextTests {
    @Test(arguments: [
        ("latency=200ms±50ms", [.latency(.milliseconds(200), jitter: .milliseconds(50))]),
        ("latency=1.5s+-500us,to=server", [.latency(.milliseconds(1500), jitter: .microseconds(500), .toServer)]),
        ("bandwidth=780kbps", [.bandwidth(bitsPerSecond: 780_000)]),
        ("loss=10%", [.loss(.share(0.1))]),
        ("loss=1%/30%", [.loss(PacketLoss(worsening: 0.01, recovery: 0.3))]),
        ("loss=1%/30%/0.5%/80%", [.loss(PacketLoss(worsening: 0.01, recovery: 0.3, inGood: 0.005, inBad: 0.8))]),
        ("refused,first=2", [.refused.first(2)]),
        ("down,after=5s,until=20s", [.down.after(.seconds(5)).until(.seconds(20))]),
        ("reset@512,p=30%", [.reset(afterBytes: 512).with(probability: 0.3)]),
        ("reset@64KiB", [.reset(afterBytes: 65_536)]),
        ("reset@2s", [.reset(after: .seconds(2))]),
        ("truncate@1kB,to=server", [.truncated(afterBytes: 1000, .toServer)]),
        ("slowclose=2s", [.slowClose(.seconds(2))]),
        ("slice=16±4/10ms", [.sliced(bytes: 16, jitter: 4, pause: .milliseconds(10))]),
        ("corrupt=0.1%", [.corrupted(share: 0.001)]),
        ("status=503,to=client", [.status(.serviceUnavailable, .toClient)]),
        ("garbage", [.garbage()]),
        ("garbage=9,from=2", [.garbage(bytes: 9).from(2)]),
        (
            " latency=1ms ; reset@0 , p=0.5 ",
            [.latency(.milliseconds(1)), .reset(afterBytes: 0).with(probability: 0.5)]
        ),
        ("3G", FaultPlan.threeG.faults),
        ("offline,from=2", FaultPlan.offline.faults.map { $0.from(2) }),
    ])
    func planTextIsParsed(text: String, faults: [Fault]) throws {
        #expect(try FaultPlan(parsing: text).faults == faults)
    }

    @Test(arguments: [
        ("latncy=200ms", "expected a preset (offline, ", "found 'latncy=200ms' at character 1"),
        ("3g;latency=200", "expected a time such as 200ms", "found 'latency=200' at character 4"),
        ("", "expected a preset", "found nothing at character 1"),
        ("3g;", "expected a preset", "found nothing at character 4"),
        ("down,p=1.5", "a share between 0 and 1", "found 'p=1.5' at character 6"),
        ("down,p=nan", "a share between 0 and 1", "found 'p=nan'"),
        ("reset@512,to=both", "to=server or to=client", "found 'to=both' at character 11"),
        ("3g,to=client", "no direction for a fault of both directions", "leave it out"),
        ("down,latency=1ms", "one of the options", "separate faults by a semicolon"),
        ("status=99", "a final status from 200 to 599", "found 'status=99'"),
        ("slice=4±9", "less after ±", "found 'slice=4±9'"),
        ("slice=0", "a number of bytes", "found 'slice=0'"),
        ("loss=1%/2%/3%", "one share, or two or four", "found 'loss=1%/2%/3%'"),
        ("reset@soon", "bytes or a time", "found 'reset@soon'"),
        ("bandwidth=1bps", "at least 8bps", "found 'bandwidth=1bps'"),
        ("latency=99999999999999999999s", "a time such as", "found 'latency=99"),
    ])
    func invalidPlanTextIsRefusedWithItsPlace(text: String, expected: String, found: String) throws {
        let error = #expect(throws: FaultPlanError.self) { try FaultPlan(parsing: text) }
        let message = try #require(error?.message)
        #expect(message.contains(expected) && message.contains(found), "\(message)")
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func planRoundTripsThroughItsText(seed: UInt64) throws {
        let plan = FaultPlan.random(seed: seed)
        #expect(try FaultPlan(parsing: plan.description) == plan, "\(plan)")
    }

    @Test func presetsHaveTheFiguresOfTheirSources() {
        #expect(
            FaultPlan.threeG.description
                == "latency=100ms,to=server;latency=100ms;bandwidth=330kbps,to=server;bandwidth=780kbps")
        #expect(
            FaultPlan.dialUp.description
                == "latency=60ms,to=server;latency=60ms;bandwidth=30kbps,to=server;bandwidth=49kbps")
        #expect(FaultPlan.offline.description == "loss=1,to=server;loss=1")
    }

    @Test func numbersOutsideAreTakenForTheNearestInside() {
        #expect(Fault.down.with(probability: 7) == .down)
        #expect(Fault.down.with(probability: .nan) == .down.with(probability: 0))
        #expect(Fault.latency(.seconds(-1)) == .latency(.zero))
        #expect(Fault.sliced(bytes: 4, jitter: 9) == .sliced(bytes: 4, jitter: 3))
        #expect(Fault.down.first(0).description == "down,p=0")
    }
}

extension FaultPlan {
    /// A random plan for the seed.
    static func random(seed: UInt64) -> FaultPlan {
        var random = SeededGenerator(seed: seed)
        return FaultPlan((0..<Int.random(in: 1...4, using: &random)).map { _ in Fault.random(&random) })
    }
}

extension Fault {
    fileprivate static func random(_ random: inout SeededGenerator) -> Fault {
        func time() -> Duration {
            .nanoseconds(Int64.random(in: 0...(1 << Int64.random(in: 1...40, using: &random)), using: &random))
        }
        func share() -> Double { Double.random(in: 0...1, using: &random) }
        func count() -> Int { Int.random(in: 1...100_000, using: &random) }
        let way: Direction = Bool.random(using: &random) ? .toServer : .toClient
        let all: [Fault] = [
            .latency(time(), jitter: time(), way), .bandwidth(bitsPerSecond: count() + 7, way),
            .loss(.share(share()), way),
            .loss(PacketLoss(worsening: share(), recovery: share(), inGood: share(), inBad: share()), way),
            .refused, .down, .reset(afterBytes: count(), way), .reset(after: time()),
            .truncated(afterBytes: count(), way), .slowClose(time(), way),
            .sliced(bytes: count(), jitter: count(), pause: time(), way), .corrupted(share: share(), way),
            .status(.init(code: Int.random(in: 200...599, using: &random)), way), .garbage(bytes: count(), way),
        ]
        var fault = all.randomElement(using: &random) ?? .down
        if Bool.random(using: &random) { fault = fault.with(probability: share()) }
        if Bool.random(using: &random) { fault = fault.from(Int.random(in: 1...5, using: &random)) }
        if Bool.random(using: &random) { fault = fault.first(Int.random(in: 5...9, using: &random)) }
        if Bool.random(using: &random) { fault = fault.after(time()) }
        if Bool.random(using: &random) { fault = fault.until(time()) }
        return fault
    }
}
