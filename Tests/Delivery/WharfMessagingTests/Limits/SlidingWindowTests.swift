import Testing
import WharfChecks
import WharfCore

@testable import WharfMessaging

@Suite struct SlidingWindowTests {
    private typealias Taken = Result<Duration, SlidingWindow.TooLong>

    @Test func windowAdmitsItsLimitAndTheNextAfterItsLength() {
        var window = SlidingWindow(RateLimit(3, per: .seconds(3)))
        let early = [0, 0, 1].map { window.take(at: .seconds($0), waitingAtMost: .seconds(60)) }
        #expect(early == [.zero, .zero, .seconds(1)].map(Taken.success))
        let late = (0..<4).map { _ in window.take(at: .seconds(2), waitingAtMost: .seconds(60)) }
        #expect(late == [3, 3, 4, 6].map { Taken.success(.seconds($0)) })
        #expect(window.take(at: .seconds(100), waitingAtMost: .zero) == .success(.seconds(100)))
    }

    @Test func refusedTurnCostsNothing() {
        var window = SlidingWindow(RateLimit(1, per: .seconds(10)))
        _ = window.take(at: .zero, waitingAtMost: .zero)
        for _ in 0..<3 {
            #expect(window.take(at: .seconds(1), waitingAtMost: .seconds(8)) == .failure(.init(wait: .seconds(9))))
        }
        #expect(window.take(at: .seconds(1), waitingAtMost: .seconds(9)) == .success(.seconds(10)))
        window.giveBack(.seconds(10))
        #expect(window.take(at: .seconds(10), waitingAtMost: .zero) == .success(.seconds(10)))
    }

    @Test func returnedTurnGoesToTheNextAndMovesNoOther() {
        var window = SlidingWindow(RateLimit(1, per: .seconds(10)))
        for _ in 0..<3 { _ = window.take(at: .zero, waitingAtMost: .seconds(60)) }
        window.giveBack(.seconds(10))
        #expect(window.take(at: .zero, waitingAtMost: .seconds(60)) == .success(.seconds(10)))
        #expect(window.take(at: .zero, waitingAtMost: .seconds(60)) == .success(.seconds(30)))
        window.giveBack(.seconds(20))
        // 15 s is too close to the reservation at 10 s, and 21 s to the one at 30 s. 20 s is free.
        #expect(window.take(at: .seconds(15), waitingAtMost: .seconds(60)) == .success(.seconds(20)))
        window.giveBack(.seconds(20))
        #expect(window.take(at: .seconds(21), waitingAtMost: .seconds(60)) == .success(.seconds(40)))
    }

    @Test func returningOneOfTwoEqualTurnsFreesOne() {
        var window = SlidingWindow(RateLimit(2, per: .seconds(10)))
        for _ in 0..<6 { _ = window.take(at: .zero, waitingAtMost: .seconds(60)) }
        window.giveBack(.seconds(10))
        let next = (0..<2).map { _ in window.take(at: .zero, waitingAtMost: .seconds(60)) }
        #expect(next == [10, 30].map { Taken.success(.seconds($0)) })
    }

    @Test func noIntervalExceedsTheLimitAndNoWaitIsLongerThanNeeded() async throws {
        let pauses: Generator<[(Int, Int)]> = .array(of: .zip(.int(in: 0...900), .int(in: 0...4)), count: 1...40)
        let inputs: Generator<([(Int, Int)], Int)> = .zip(pauses, .int(in: 1...5))
        try await forAll(inputs, runs: 300) { pauses, count in
            var window = SlidingWindow(RateLimit(count, per: .seconds(1)))
            var now = Duration.zero
            var taken: [Duration] = []
            for (pause, choice) in pauses {
                now += .milliseconds(pause)
                guard case .success(let turn) = window.take(at: now, waitingAtMost: .seconds(3)) else { continue }
                try require(turn >= now, "\(turn) at \(now)")
                let moments = [now] + taken.map { $0 + .seconds(1) }.filter { $0 > now }
                for moment in moments where moment < turn {
                    try require(most(inASecondOf: taken + [moment]) > count, "\(turn) and not \(moment) at \(now)")
                }
                taken.append(turn)
                if choice == 0, let waiting = taken.firstIndex(where: { $0 > now }) {
                    window.giveBack(taken.remove(at: waiting))
                }
            }
            let most = most(inASecondOf: taken)
            try require(most <= count, "\(most) in a second, of \(count)")
        }
    }

    private func most(inASecondOf turns: [Duration]) -> Int {
        turns.map { first in turns.count { $0 >= first && $0 < first + .seconds(1) } }.max() ?? 0
    }
}
