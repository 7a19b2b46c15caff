import Simulation
import Testing
import WharfPrimitives

@Suite struct AutoResetEventTests {
    @Test func signalIsNotLostInAnyInterleaving() throws {
        try Exploration.exhaustive(EventLaws.keepsSignals { .real() })
    }

    @Test func cancelledWaiterTakesNoSignalInAnyInterleaving() throws {
        try Exploration.exhaustive(EventLaws.cancellationTakesNone { .real() })
    }

    @Test func signalsWithoutAWaiterAreCoalesced() async {
        let event = AutoResetEvent()
        event.signal()
        event.signal()
        #expect(await event.wait())
        #expect(!event.isAwaited)
        let second = Task { await event.wait() }
        while !event.isAwaited { await Task.yield() }
        second.cancel()
        #expect(await !second.value)
    }

    @Test func eventThatForgetsAnEarlySignalIsCaught() {
        let found = counterexample(EventLaws.keepsSignals { .forgetful() })
        #expect(found?.failure == .deadlock(unfinished: ["waiter"]))
    }

    @Test func eventWhoseCancelledWaiterTakesASignalIsCaught() {
        let found = counterexample(EventLaws.cancellationTakesNone { .greedy() })
        #expect(found?.failure == .deadlock(unfinished: ["waiter"]))
    }
}

private struct EventUnderTest: Sendable {
    var signal: @Sendable () -> Void
    var wait: @Sendable () async -> Bool

    static func real() -> EventUnderTest {
        let event = AutoResetEvent()
        return EventUnderTest {
            event.signal()
        } wait: {
            await event.wait()
        }
    }

    /// Wakes a waiter only if there is one already.
    static func forgetful() -> EventUnderTest {
        let monitor = Monitor(())
        return EventUnderTest {
            monitor.withLock { _, effects in _ = effects.resumeFirst() }
        } wait: {
            await monitor.waitUnlessCancelled(for: monitor.withLock { _, effects in effects.reserve() })
        }
    }

    /// Reports a cancelled waiter although it has the signal.
    static func greedy() -> EventUnderTest {
        let event = AutoResetEvent()
        return EventUnderTest {
            event.signal()
        } wait: {
            await event.wait() && !Task.isCancelled
        }
    }
}

private enum EventLaws {
    static func keepsSignals(_ make: @escaping @Sendable () -> EventUnderTest) -> Exploration.Program {
        { simulation in
            let event = make()
            simulation.task("waiter") { _ = await event.wait() }
            simulation.task("signaller") { event.signal() }
            return { nil }
        }
    }

    static func cancellationTakesNone(_ make: @escaping @Sendable () -> EventUnderTest) -> Exploration.Program {
        { simulation in
            let event = make()
            let first = Promise<Bool>()
            let cancelled = simulation.task("cancelled") { first.fulfil(await event.wait()) }
            simulation.task("canceller") { cancelled.cancel() }
            simulation.task("signaller") { event.signal() }
            simulation.task("waiter") { if await !first.wait() { _ = await event.wait() } }
            return { nil }
        }
    }
}

@Suite struct WaitGroupTests {
    @Test func waitEndsWithTheLastWorkInEveryInterleaving() throws {
        try Exploration.exhaustive(
            Self.program {
                WaitGroup()
            } enter: {
                _ = $0.enter()
            } leave: {
                $0.leave()
            } wait: {
                await $0.wait()
            })
    }

    @Test func closedGroupRefusesWork() async {
        let group = WaitGroup()
        #expect(group.enter())
        #expect(group.close())
        #expect(!group.close())
        #expect(!group.enter())
        group.leave()
        await group.wait()
        #expect(group.isClosed)
    }

    @Test func groupThatWakesAtTheFirstEndIsCaught() {
        let found = counterexample(
            Self.program {
                AutoResetEvent()
            } enter: { _ in
            } leave: {
                $0.signal()
            } wait: {
                _ = await $0.wait()
            })
        #expect(found != nil)
    }

    private static func program<Group: Sendable>(
        _ make: @escaping @Sendable () -> Group, enter: @escaping @Sendable (Group) -> Void,
        leave: @escaping @Sendable (Group) -> Void, wait: @escaping @Sendable (Group) async -> Void
    ) -> Exploration.Program {
        { simulation in
            let (group, log) = (make(), Log<String>())
            for _ in 0..<2 { enter(group) }
            for work in ["a", "b"] {
                simulation.task(work) {
                    await simulation.step()
                    log.note(work)
                    leave(group)
                }
            }
            for waiter in 0..<2 {
                simulation.task("waiter \(waiter)") {
                    await wait(group)
                    log.note("end")
                }
            }
            return { log.notes.suffix(2) == ["end", "end"] ? nil : "ended early: \(log.notes)" }
        }
    }
}
