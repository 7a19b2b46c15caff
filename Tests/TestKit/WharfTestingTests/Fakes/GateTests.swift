import Synchronization
import Testing
import WharfFakes

struct GateTests {
    @Test func gateHoldsTasksUntilItIsOpened() async {
        let gate = Gate()
        let passed = Passed()
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    await gate.pass()
                    passed.count.add(1, ordering: .relaxed)
                }
            }
            await gate.arrivals(50)
            #expect(passed.count.load(ordering: .relaxed) == 0)
            gate.open()
        }
        #expect(passed.count.load(ordering: .relaxed) == 50)
        await gate.pass()
        gate.open()
    }

    @Test func aCancelledTaskGoesThrough() async {
        let gate = Gate()
        let waiting = Task { await gate.pass() }
        await gate.arrivals()
        waiting.cancel()
        await waiting.value
        let late = Task { await gate.pass() }
        late.cancel()
        await late.value
        await gate.arrivals(2)
    }

    @Test func arrivalsAreCountedAlsoWhenItIsOpen() async {
        let gate = Gate()
        gate.open()
        let watching = Task { await gate.arrivals(3) }
        for _ in 0..<3 { await gate.pass() }
        await watching.value
    }
}

private final class Passed: Sendable {
    let count = Atomic(0)
}
