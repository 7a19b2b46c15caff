import Testing
import WharfCore
import WharfFaults
import WharfRandom

@Suite struct StreamFaultsTests {
    private static func stream(_ faults: [Fault], seed: UInt64 = 1) -> StreamFaults {
        var engine = FaultEngine(FaultPlan(faults), seed: seed)
        return engine.begin(at: .zero).stream(.toClient, ofPackets: true)
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    private static func sent(_ steps: [StreamFaults.Step]) -> [[UInt8]] {
        steps.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }

    private static func waits(_ steps: [StreamFaults.Step]) -> [Duration] {
        steps.compactMap { if case .wait(let time) = $0 { time } else { nil } }
    }

    private static func ending(_ steps: [StreamFaults.Step]) -> StreamFaults.Ending? {
        steps.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func faultsDoNotDependOnTheChunking(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let all: [Fault] = [
            .sliced(bytes: 7, jitter: 6), .corrupted(share: 0.1), .reset(afterBytes: 4000),
            .truncated(afterBytes: 2500), .loss(.share(0.2)), .bandwidth(bitsPerSecond: 80_000),
        ]
        let faults = all.filter { _ in Bool.random(using: &random) }
        let bytes = Self.bytes(5000)
        var whole = Self.stream(faults, seed: seed)
        let expected = whole.steps(for: bytes, arrivedAt: .zero)
        var chunked = Self.stream(faults, seed: seed)
        var steps: [StreamFaults.Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...900, using: &random))
            rest = rest.dropFirst(chunk.count)
            if Self.ending(steps) == nil { steps += chunked.steps(for: Array(chunk), arrivedAt: .zero) }
        }
        #expect(Self.sent(steps).flatMap(\.self) == Self.sent(expected).flatMap(\.self))
        #expect(Self.ending(steps) == Self.ending(expected))
        if !faults.contains(where: { $0.kind.description.hasPrefix("bandwidth") }) {
            #expect(Self.waits(steps).last == Self.waits(expected).last)
        }
    }

    @Test func withoutFaultsNothingIsTouched() {
        var stream = Self.stream([])
        #expect(stream.isFree)
        #expect(stream.steps(for: [1, 2, 3], arrivedAt: .seconds(9)) == [.send([1, 2, 3])])
        #expect(stream.stepsAtEnd(arrivedAt: .seconds(9)) == [])
    }

    @Test func latencyShiftsWithoutSlowing() {
        var stream = Self.stream([.latency(.seconds(2))])
        #expect(stream.steps(for: [1], arrivedAt: .seconds(1)) == [.wait(until: .seconds(3)), .send([1])])
        #expect(stream.steps(for: [2], arrivedAt: .seconds(1)) == [.wait(until: .seconds(3)), .send([2])])
        #expect(stream.stepsAtEnd(arrivedAt: .seconds(2)) == [.wait(until: .seconds(4))])
    }

    @Test func bandwidthDelaysBytesByTheLowestRate() {
        var stream = Self.stream([.bandwidth(bitsPerSecond: 8000), .bandwidth(bitsPerSecond: 80_000)])
        let steps = stream.steps(for: Self.bytes(1000), arrivedAt: .zero)
        #expect(Self.waits(steps).last == .seconds(1))
        #expect(Self.sent(steps).allSatisfy { $0.count <= 50 })
        #expect(
            Self.waits(stream.steps(for: Self.bytes(500), arrivedAt: .milliseconds(200))).last == .milliseconds(1500))
        #expect(Self.waits(stream.steps(for: Self.bytes(500), arrivedAt: .seconds(10))).last == .milliseconds(10_500))
    }

    @Test func slicesHaveTheirSizeAndPause() {
        var stream = Self.stream([.sliced(bytes: 4, jitter: 1, pause: .milliseconds(10))])
        let steps = stream.steps(for: Self.bytes(100), arrivedAt: .zero)
        let sizes = Self.sent(steps).map(\.count)
        #expect(sizes.dropLast().allSatisfy { (3...5).contains($0) } && Set(sizes).count > 1)
        #expect(Self.waits(steps).last == .milliseconds(10 * (sizes.count - 1)))
    }

    @Test(arguments: [0, 1, 512, 1000])
    func aResetComesAtItsByte(count: Int) {
        let fault = Fault.reset(afterBytes: count)
        var stream = Self.stream([fault, .truncated(afterBytes: 1001)])
        let steps = stream.steps(for: Self.bytes(1000), arrivedAt: .zero)
        #expect(Self.sent(steps).flatMap(\.self) == Array(Self.bytes(1000).prefix(count)))
        #expect(Self.ending(steps) == .reset(fault))
        #expect(stream.stepsAtEnd(arrivedAt: .zero) == [])
    }

    @Test func corruptionChangesTheGivenShareOfBytes() {
        var stream = Self.stream([.corrupted(share: 1)])
        let sent = Self.sent(stream.steps(for: Self.bytes(1000), arrivedAt: .zero)).flatMap(\.self)
        #expect(sent.count == 1000 && zip(sent, Self.bytes(1000)).allSatisfy { $0 != $1 })
        var some = Self.stream([.corrupted(share: 0.1)])
        let few = Self.sent(some.steps(for: Self.bytes(10_000), arrivedAt: .zero)).flatMap(\.self)
        #expect((800...1200).contains(zip(few, Self.bytes(10_000)).count { $0 != $1 }))
    }

    @Test func aLostPacketIsSentAgainAndNoByteIsMissing() {
        var stream = Self.stream([.loss(.share(0.3))], seed: 5)
        let steps = stream.steps(for: Self.bytes(146_000), arrivedAt: .zero)
        #expect(Self.sent(steps).flatMap(\.self) == Self.bytes(146_000))
        let last = Self.waits(steps).last ?? .zero
        #expect(last >= .seconds(3) && last <= .seconds(40), "\(last) for about 43 losses of 200 ms or more")
    }

    @Test func totalLossSilencesTheStreamAndItsEnd() {
        let fault = Fault.loss(.share(1))
        var stream = Self.stream([fault])
        #expect(stream.steps(for: [1], arrivedAt: .zero) == [.end(.silence(fault))])
        var unused = Self.stream([fault])
        #expect(unused.stepsAtEnd(arrivedAt: .zero) == [.end(.silence(fault))])
    }

    @Test func aSlowCloseIsBehindTheLastByte() {
        var stream = Self.stream([.slowClose(.seconds(3)), .bandwidth(bitsPerSecond: 8000)])
        _ = stream.steps(for: Self.bytes(1000), arrivedAt: .zero)
        #expect(stream.stepsAtEnd(arrivedAt: .zero) == [.wait(until: .seconds(4))])
    }
}
