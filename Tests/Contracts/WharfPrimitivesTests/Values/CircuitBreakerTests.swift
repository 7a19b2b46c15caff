import Testing
import WharfPrimitives
import WharfRandom

@Suite struct CircuitBreakerTests {
    private typealias Breaker = CircuitBreaker<Int>

    @Test func firstFailureOpensTheBreakerUntilTheProbe() {
        var breaker = Breaker()
        #expect(!breaker.isOpen)
        let opened = breaker.recordFailure(in: breaker.generation) { failures in 10 * failures }
        #expect(opened && breaker.openUntil == 10)
        let early = breaker.probe { $0 <= 9 }
        #expect(!early && breaker.isOpen)
        let due = breaker.probe { $0 <= 10 }
        #expect(due && !breaker.isOpen)
        guard case .halfOpen = breaker.state else { return #expect(Bool(false), "\(breaker.state)") }
    }

    @Test func failedProbeOpensTheBreakerForLonger() {
        var breaker = Breaker()
        for failures in 1...5 {
            let opened = breaker.recordFailure(in: breaker.generation) { $0 }
            #expect(opened && breaker.openUntil == failures)
            _ = breaker.probe { _ in true }
        }
        _ = breaker.recordSuccess()
        _ = breaker.recordFailure(in: breaker.generation) { $0 }
        #expect(breaker.openUntil == 1)
    }

    @Test func successClosesTheBreakerInAnyState() {
        var breaker = Breaker()
        #expect(breaker.recordSuccess() == false)
        _ = breaker.recordFailure(in: breaker.generation) { $0 }
        #expect(breaker.recordSuccess() == true)
        guard case .closed = breaker.state else { return #expect(Bool(false), "\(breaker.state)") }
        _ = breaker.recordFailure(in: breaker.generation) { $0 }
        _ = breaker.probe { _ in true }
        #expect(breaker.recordSuccess() == false)
        guard case .closed = breaker.state else { return #expect(Bool(false), "\(breaker.state)") }
    }

    @Test func aFailureOfAnEarlierGenerationOpensNothing() {
        var breaker = Breaker()
        let before = breaker.generation
        breaker.reset()
        let stale = breaker.recordFailure(in: before) { $0 }
        #expect(!stale && !breaker.isOpen)
        let current = breaker.generation
        let first = breaker.recordFailure(in: current) { $0 }
        _ = breaker.probe { _ in true }
        // Later failures in the same generation as the first one have no effect on the probe.
        let second = breaker.recordFailure(in: current) { $0 }
        #expect(first && !second && !breaker.isOpen)
    }

    @Test func failureWhileOpenDoesNotDelayTheProbe() {
        var breaker = Breaker()
        _ = breaker.recordFailure(in: breaker.generation) { _ in 10 }
        let again = breaker.recordFailure(in: breaker.generation) { _ in 99 }
        #expect(!again && breaker.openUntil == 10)
    }

    /// Compares the breaker with a model that counts failures, after each of many events.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func breakerAgreesWithAModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var breaker = Breaker()
        var (failures, until, generations) = (0, nil as Int?, [breaker.generation])
        for now in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let isCurrent = Bool.random(using: &random)
                let generation = isCurrent ? generations[generations.count - 1] : generations[0] - 1
                let opens = isCurrent && until == nil
                if opens { (failures, until) = (failures + 1, now + failures + 1) }
                #expect(breaker.recordFailure(in: generation) { now + $0 } == opens, "\(random)")
                if opens { generations.append(breaker.generation) }
            case 1:
                #expect(breaker.recordSuccess() == (until != nil), "\(random)")
                (failures, until) = (0, nil)
            case 2:
                let isDue = until.map { $0 <= now } == true
                #expect(breaker.probe { $0 <= now } == isDue, "\(random)")
                if isDue { until = nil }
            default:
                breaker.reset()
                (failures, until) = (0, nil)
                generations.append(breaker.generation)
            }
            #expect(breaker.openUntil == until, "\(random)")
            #expect(Set(generations).count == generations.count, "\(random)")
        }
    }
}
