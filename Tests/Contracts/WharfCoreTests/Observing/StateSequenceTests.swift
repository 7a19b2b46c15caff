import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPrimitives

/// Writers and readers in a thousand interleavings, one per seed.
struct StateSequenceTests {
    @Test func everyReaderEndsWithTheNewestStateInEveryOrder() throws {
        for seed in 1...1_000 as ClosedRange<UInt64> {
            let seen = try SeededScheduler(seed: seed).run { _ in
                let current = Broadcast(0)
                let states = StateSequence(current)
                async let early = read(states)
                async let late = read(states)
                async let writing: Void = write(1...5, to: current)
                await writing
                return await [early, late]
            }
            for numbers in seen {
                try #require(
                    numbers.last == 5 && numbers == numbers.sorted() && Set(numbers).count == numbers.count,
                    "seed \(seed): \(numbers)")
            }
        }
    }

    @Test func writersOnManyThreadsLeaveNoReaderBehind() async {
        for _ in 0..<200 {
            let current = Broadcast(0)
            await withTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask {
                        for await number in StateSequence(current) where number == 50 { return }
                        Issue.record("the states ended before the last one")
                    }
                }
                group.addTask { for number in 1...50 { current.set(number) } }
            }
            #expect(current.waiting == 0)
        }
    }

    @Test func endOfStatesEndsAWaitingReader() async {
        let current = Broadcast(0)
        let reading = Task { await read(StateSequence(current)) }
        await waitUntil { current.waiting != 0 }
        current.end()
        #expect(await reading.value == [0])
    }

    @Test func cancelledReaderLeavesNoWaiterInEveryOrder() throws {
        for seed in 1...500 as ClosedRange<UInt64> {
            let waiting = try SeededScheduler(seed: seed).run { scheduler in
                let current = Broadcast(0)
                let reading = Task(executorPreference: scheduler) { await read(StateSequence(current)) }
                async let writing: Void = write(1...2, to: current)
                await Task.yield()
                reading.cancel()
                await writing
                _ = await reading.value
                return current.waiting
            }
            try #require(waiting == 0, "seed \(seed)")
        }
    }
}

private func write(_ numbers: ClosedRange<Int>, to current: Broadcast<Int>) async {
    for number in numbers {
        await Task.yield()
        current.set(number)
    }
}

/// Reads up to the number 5, or to the end.
private func read(_ states: StateSequence<Int>) async -> [Int] {
    var numbers: [Int] = []
    for await number in states {
        numbers.append(number)
        if number == 5 { break }
        await Task.yield()
    }
    return numbers
}
