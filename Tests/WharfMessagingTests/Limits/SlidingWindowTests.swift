import Testing
import WharfCore
import WharfTesting

@testable import WharfMessaging

@Suite struct SlidingWindowTests {
    private typealias Taken = Result<Duration, SlidingWindow.TooLong>

    @Test func soManyGoAtOnceAndTheNextWhenTheFirstIsLongEnoughAgo() {
        var window = SlidingWindow(RateLimit(3, per: .seconds(3)))
        let early = [0, 0, 1].map { window.take(at: .seconds($0), waitingAtMost: .seconds(60)) }
        #expect(early == [.zero, .zero, .seconds(1)].map(Taken.success))
        let late = (0..<4).map { _ in window.take(at: .seconds(2), waitingAtMost: .seconds(60)) }
        #expect(late == [3, 3, 4, 6].map { Taken.success(.seconds($0)) })
        #expect(window.take(at: .seconds(100), waitingAtMost: .zero) == .success(.seconds(100)))
    }

    @Test func whatIsNotTakenCostsNothing() {
        var window = SlidingWindow(RateLimit(1, per: .seconds(10)))
        _ = window.take(at: .zero, waitingAtMost: .zero)
        for _ in 0..<3 {
            #expect(window.take(at: .seconds(1), waitingAtMost: .seconds(8)) == .failure(.init(wait: .seconds(9))))
        }
        #expect(window.take(at: .seconds(1), waitingAtMost: .seconds(9)) == .success(.seconds(10)))
        window.giveBack(.seconds(10))
        #expect(window.take(at: .seconds(10), waitingAtMost: .zero) == .success(.seconds(10)))
    }

    @Test func whatIsGivenBackBeforeAnotherMovesNoneForward() {
        var window = SlidingWindow(RateLimit(1, per: .seconds(10)))
        for _ in 0..<3 { _ = window.take(at: .zero, waitingAtMost: .seconds(60)) }
        window.giveBack(.seconds(10))
        #expect(window.take(at: .zero, waitingAtMost: .seconds(60)) == .success(.seconds(30)))
    }

    @Test func inNoStretchOfTimeThereAreMoreThanTheLimit() async throws {
        let pauses: Generator<[(Int, Int)]> = .array(of: .zip(.int(in: 0...900), .int(in: 0...4)), count: 1...80)
        let inputs: Generator<([(Int, Int)], Int)> = .zip(pauses, .int(in: 1...5))
        try await forAll(inputs, runs: 300) { pauses, count in
            var window = SlidingWindow(RateLimit(count, per: .seconds(1)))
            var now = Duration.zero
            var sent: [Duration] = []
            for (pause, choice) in pauses {
                now += .milliseconds(pause)
                guard case .success(let turn) = window.take(at: now, waitingAtMost: .seconds(2)) else { continue }
                try require(turn >= max(now, sent.last ?? .zero), "\(turn) at \(now)")
                if choice == 0, turn > now { window.giveBack(turn) } else { sent.append(turn) }
            }
            for (index, first) in sent.enumerated() {
                let inside = sent[index...].count { $0 < first + .seconds(1) }
                try require(inside <= count, "\(inside) in a second, of \(count)")
            }
        }
    }
}
