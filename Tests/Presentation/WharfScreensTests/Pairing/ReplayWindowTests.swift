import Testing
import WharfRandom

@testable import WharfScreens

struct ReplayWindowTests {
    @Test func aCounterIsTakenOnce() {
        var window = ReplayWindow()
        func taken(_ counters: [UInt64]) -> [Bool] { counters.map { window.take($0) } }
        #expect(taken([0]) == [false])
        #expect(taken([1, 3, 2, 70, 7]) == [true, true, true, true, true])
        #expect(taken([1, 2, 3, 7, 70]) == [false, false, false, false, false])
        // 6 is 70 - 64 and thus below the window, whether it was seen or not.
        #expect(taken([6]) == [false])
        #expect(taken([.max, .max - 63, .max - 64, 70]) == [true, true, false, false])
    }

    @Test func randomOrdersAgreeWithASet() {
        var generator = SeededGenerator(seed: 4303)
        var (window, taken, highest) = (ReplayWindow(), Set<UInt64>(), UInt64(0))
        for _ in 0..<5000 {
            let base = highest < 80 ? 0 : highest - 80
            let counter = base + UInt64.random(in: 0...(highest - base + 20), using: &generator)
            let isNew = counter > 0 && !taken.contains(counter) && (counter > highest || highest - counter < 64)
            let isTaken = window.take(counter)
            #expect(isTaken == isNew)
            if isNew { taken.insert(counter) }
            highest = max(highest, isNew ? counter : 0)
        }
    }
}
