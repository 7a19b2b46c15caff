import Testing
import WharfCore
import WharfFaults
import WharfRandom

@Suite struct EngineTests {
    private static func decisions(_ plan: FaultPlan, seed: UInt64, count: Int = 50) -> [[Fault]] {
        var engine = FaultEngine(plan, seed: seed)
        return (0..<count).map { engine.begin(at: .milliseconds($0)).faults }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func theSameSeedDecidesTheSame(seed: UInt64) {
        let plan = FaultPlan.random(seed: seed)
        #expect(Self.decisions(plan, seed: seed) == Self.decisions(plan, seed: seed))
    }

    @Test func anotherSeedDecidesOtherwise() {
        let plan: FaultPlan = [.down.with(probability: 0.5), .latency(.seconds(1), jitter: .seconds(1))]
        #expect(Set((1...20).map { Self.decisions(plan, seed: $0) }).count == 20)
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func faultOfProbabilityZeroChangesNoOtherDecision(seed: UInt64) {
        let plan = FaultPlan.random(seed: seed)
        var random = SeededGenerator(seed: seed)
        var padded = plan.faults
        for fault in FaultPlan.random(seed: seed + 1000).faults {
            padded.insert(fault.with(probability: 0), at: Int.random(in: 0...padded.count, using: &random))
        }
        #expect(Self.decisions(FaultPlan(padded), seed: seed) == Self.decisions(plan, seed: seed))
    }

    @Test func exchangesDrawIndependentRandomNumbers() {
        let plan: FaultPlan = [.down.with(probability: 0.5), .latency(.seconds(1), jitter: .seconds(1))]
        let scoped = FaultPlan([.down.with(probability: 0.5).from(2), plan.faults[1]])
        let (all, later) = (Self.decisions(plan, seed: 7), Self.decisions(scoped, seed: 7))
        #expect(all.dropFirst().map { $0.map(\.kind) } == later.dropFirst().map { $0.map(\.kind) })
    }

    @Test(arguments: [0.1, 0.3, 0.9])
    func aProbabilityIsTheShareOfTheExchanges(probability: Double) {
        let decided = Self.decisions([.down.with(probability: probability)], seed: 42, count: 20_000)
        let share = Double(decided.count { !$0.isEmpty }) / 20_000
        // Within four standard deviations.
        #expect(abs(share - probability) < 4 * (probability * (1 - probability) / 20_000).squareRoot())
    }

    @Test func firstAndFromSelectExchangesByNumber() {
        #expect(Self.decisions([.down.first(2)], seed: 1, count: 4).map(\.count) == [1, 1, 0, 0])
        #expect(Self.decisions([.refused.from(2).first(3)], seed: 1, count: 4).map(\.count) == [0, 1, 1, 0])
    }

    @Test func faultWindowAppliesToTheStartOfAnExchange() {
        var engine = FaultEngine([.refused.after(.seconds(5)).until(.seconds(6))], seed: 1)
        let times: [Duration] = [.zero, .milliseconds(4999), .seconds(5), .milliseconds(5999), .seconds(6)]
        #expect(times.map { engine.begin(at: $0).refusal != nil } == [false, false, true, true, false])
    }

    @Test func downFaultCutsAnExchangeInFlight() {
        let down = Fault.down.after(.seconds(5))
        var engine = FaultEngine([down], seed: 1)
        let before = engine.begin(at: .seconds(4))
        #expect(before.cut?.time == .seconds(5) && before.cut?.fault == down && before.faults.isEmpty)
        let during = engine.begin(at: .seconds(5))
        #expect(during.cut == nil && during.refusal == down)
    }

    @Test func jitterStaysInItsBounds() {
        let delays = Self.decisions([.latency(.milliseconds(200), jitter: .milliseconds(50))], seed: 3, count: 2000)
            .compactMap { faults -> Duration? in
                guard case .latency(let delay, .zero)? = faults.first?.kind else { return nil }
                return delay
            }
        #expect(delays.count == 2000)
        #expect(delays.allSatisfy { (.milliseconds(150) ... .milliseconds(250)).contains($0) })
        #expect(delays.contains { $0 < .milliseconds(160) } && delays.contains { $0 > .milliseconds(240) })
    }

    @Test func portIsClosedWhileAllConnectionsAreRefused() {
        func openings(_ plan: FaultPlan) -> [String] {
            FaultEngine(plan, seed: 1).openings.map { "\($0.time / .seconds(1)) \($0.isOpen)" }
        }
        #expect(openings([]) == ["0.0 true"])
        #expect(openings([.refused]) == ["0.0 false"])
        #expect(openings([.refused.first(3), .down.with(probability: 0.5)]) == ["0.0 true"])
        #expect(
            openings([.down.after(.seconds(5)).until(.seconds(9)), .refused.after(.seconds(7)).until(.seconds(8))])
                == ["0.0 true", "5.0 false", "9.0 true"])
    }
}
