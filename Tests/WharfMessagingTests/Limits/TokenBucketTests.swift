import Testing
import WharfCore
import WharfTesting

@testable import WharfMessaging

@Suite struct TokenBucketTests {
    private typealias Taken = Result<Duration, TokenBucket.TooLong>

    @Test func soManyGoAtOnceAndTheNextWhenOneIsFree() {
        var bucket = TokenBucket(RateLimit(3, per: .seconds(3)))
        let waits = (0..<5).map { _ in bucket.take(at: .zero, waitingAtMost: .seconds(60)) }
        #expect(waits == [.zero, .zero, .zero, .seconds(1), .seconds(2)].map(Taken.success))
        #expect(bucket.take(at: .seconds(100), waitingAtMost: .zero) == .success(.zero))
    }

    @Test func whatIsNotTakenCostsNothing() {
        var bucket = TokenBucket(RateLimit(1, per: .seconds(10)))
        _ = bucket.take(at: .zero, waitingAtMost: .zero)
        for _ in 0..<3 {
            #expect(bucket.take(at: .seconds(1), waitingAtMost: .seconds(8)) == .failure(.init(wait: .seconds(9))))
        }
        #expect(bucket.take(at: .seconds(1), waitingAtMost: .seconds(9)) == .success(.seconds(9)))
        bucket.giveBack()
        #expect(bucket.take(at: .seconds(10), waitingAtMost: .zero) == .success(.zero))
    }

    @Test func inNoStretchOfTimeThereAreMoreThanTheLimitAndOneBurst() async throws {
        let pauses: Generator<[Int]> = .array(of: .int(in: 0...900), count: 1...80)
        let inputs: Generator<([Int], Int)> = .zip(pauses, .int(in: 1...5))
        try await forAll(inputs, runs: 300) { pauses, count in
            var bucket = TokenBucket(RateLimit(count, per: .seconds(1)))
            var now = Duration.zero
            var sent: [Duration] = []
            for pause in pauses {
                now += .milliseconds(pause)
                if case .success(let wait) = bucket.take(at: now, waitingAtMost: .seconds(2)) {
                    sent.append(now + wait)
                }
            }
            for (index, first) in sent.enumerated() {
                let end = first + .seconds(1)
                let inside = sent[index...].count { $0 < end }
                // A bucket holds `count`, and gets as many in the time.
                try require(inside <= 2 * count, "\(inside) in a second, of \(count)")
            }
            let all = sent.count
            if let last = sent.last {
                try require(Double(all - count) <= last / .seconds(1) * Double(count) + 1, "\(all) until \(last)")
            }
        }
    }
}
