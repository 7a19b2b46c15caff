import Simulation
import Testing
import WharfPrimitives

@Suite struct SimulationTests {
    /// Each task has two jobs, so there are as many orders as ways to choose 2 of 4.
    @Test func twoTasksWithOneStepEachHaveSixInterleavings() throws {
        var orders: Set<[String]> = []
        let runs = try Exploration.exhaustive { simulation in
            let log = Log<String>()
            for name in ["a", "b"] {
                simulation.task(name) {
                    log.note(name + "1")
                    await simulation.step()
                    log.note(name + "2")
                }
            }
            return {
                orders.insert(log.notes)
                return nil
            }
        }
        #expect(runs == 6)
        #expect(orders.count == 6)
    }

    @Test func waitForAnUnfulfilledPromiseIsADeadlock() throws {
        let found = counterexample { simulation in
            let promise = Promise<Int>()
            simulation.task("reader") { _ = await promise.wait() }
            return { nil }
        }
        #expect(found?.failure == .deadlock(unfinished: ["reader"]))
    }

    /// An increment with a preemption point in it: some orders lose one.
    private static let lostUpdate: Exploration.Program = { simulation in
        let count = Broadcast(0)
        for name in ["a", "b", "c"] {
            simulation.task(name) {
                let before = count.latest.state
                await simulation.step()
                count.set(before + 1)
            }
        }
        return { count.latest.state == 3 ? nil : "lost an update: \(count.latest.state)" }
    }

    @Test func counterexampleReplaysFromItsChoices() throws {
        let found = try #require(counterexample(Self.lostUpdate))
        let again = #expect(throws: Counterexample.self) { try Exploration.replay(found.choices, Self.lostUpdate) }
        #expect(again?.failure == found.failure)
    }

    @Test func counterexampleOfASeedReplaysFromItsChoices() throws {
        let found = try #require(
            #expect(throws: Counterexample.self) { try Exploration.random(seeds: 1...100, Self.lostUpdate) })
        #expect(found.seed != nil)
        let again = #expect(throws: Counterexample.self) { try Exploration.replay(found.choices, Self.lostUpdate) }
        #expect(again?.failure == found.failure)
    }
}

/// The first failing interleaving of a program that is to have one.
func counterexample(_ program: (Simulation) -> () -> String?) -> Counterexample? {
    do throws(Counterexample) {
        try Exploration.exhaustive(program)
        return nil
    } catch {
        return error
    }
}
