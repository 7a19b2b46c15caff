import Testing
import WharfPrimitives
import WharfRandom

@Suite struct BackoffTests {
    @Test func theBoundDoublesUpToTheCap() {
        let backoff = Backoff(base: .seconds(1), cap: .seconds(10))
        #expect((1...6).map { backoff.bound(afterFailures: $0) } == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(backoff.bound(afterFailures: 0) == .seconds(1))
        #expect(backoff.bound(afterFailures: .max) == .seconds(10))
    }

    @Test func extremeBasesAndCapsDoNotOverflow() {
        let longest = Duration(attoseconds: .max)
        #expect(Backoff(base: .nanoseconds(1), cap: longest).bound(afterFailures: .max) == longest)
        #expect(Backoff(base: longest, cap: longest).bound(afterFailures: 9) == longest)
        #expect(Backoff(base: longest, cap: .seconds(1)).bound(afterFailures: 9) == .seconds(1))
        #expect(Backoff(base: .zero, cap: .seconds(1)).bound(afterFailures: .max) == .zero)
        #expect(Backoff(base: .seconds(-1), cap: .seconds(1)).bound(afterFailures: 5) == .zero)
        #expect(Backoff(base: .seconds(1), cap: .seconds(-1)).bound(afterFailures: 5) == .zero)
        // After thirty doublings a nanosecond is a second. The bound grows up to the cap.
        #expect(Backoff(base: .nanoseconds(1), cap: .seconds(60)).bound(afterFailures: 99) == .seconds(60))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func delayIsRandomWithinTheBound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let backoff = Backoff(
            base: .nanoseconds(Int64.random(in: 1...1_000_000_000, using: &random)),
            cap: .nanoseconds(Int64.random(in: 1...100_000_000_000, using: &random)))
        let failures = Int.random(in: 1...12, using: &random)
        let bound = backoff.bound(afterFailures: failures)
        let delays = (0..<500).map { _ in backoff.delay(afterFailures: failures, using: &random) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= bound }, "\(random)")
        #expect(delays.contains { $0 < bound * 0.1 } && delays.contains { $0 > bound * 0.9 }, "\(random)")
    }
}
