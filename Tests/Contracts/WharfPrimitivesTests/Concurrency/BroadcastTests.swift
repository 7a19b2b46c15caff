import Simulation
import Testing
import WharfPrimitives

@Suite struct BroadcastTests {
    @Test func readerSeesRisingStatesAndTheLastInEveryOrder() throws {
        try Exploration.exhaustive { simulation in
            let broadcast = Broadcast(0)
            return Self.program(simulation, broadcast) { await broadcast.next(after: $0) }
        }
    }

    @Test func cancelledReaderEndsAndOthersGoOn() throws {
        try Exploration.exhaustive { simulation in
            let (broadcast, log) = (Broadcast(0), Log<Int?>())
            let version = broadcast.latest.version
            let cancelled = simulation.task("cancelled") { _ = await broadcast.next(after: version) }
            simulation.task("reader") { log.note(await broadcast.next(after: version)?.state) }
            simulation.task("canceller") { cancelled.cancel() }
            simulation.task("writer") { broadcast.set(1) }
            return { log.notes == [1] && broadcast.waiting == 0 ? nil : "found \(log.notes)" }
        }
    }

    /// A state that, when it is released, sets the next one: under the lock that would deadlock.
    @Test func replacedStateIsReleasedOutsideOfTheLock() {
        final class Last: Sendable {
            let onEnd: @Sendable () -> Void
            init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        let broadcast = Broadcast<Last?>(nil)
        broadcast.set(Last { broadcast.set(nil) })
        broadcast.set(nil)
        #expect(broadcast.latest.state == nil)
    }

    @Test func concurrentUpdatesAreAllApplied() async {
        let broadcast = Broadcast(0)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<5_000 { broadcast.update { $0 += 1 } } }
            }
        }
        #expect(broadcast.latest.state == 20_000)
    }

    @Test func broadcastThatWaitsForTheWrongVersionIsCaught() {
        let found = counterexample { simulation in
            let broadcast = Broadcast(0)
            return Self.program(simulation, broadcast) { version in
                if broadcast.latest.version > version { return broadcast.latest }
                await simulation.step()
                // A state set in between is missed, and so is the end.
                return await broadcast.next(after: broadcast.latest.version)
            }
        }
        guard case .violation? = found?.failure else {
            Issue.record("expected a violation, found \(String(describing: found))")
            return
        }
    }

    private typealias Version = Broadcast<Int>.Version

    private static func program(
        _ simulation: Simulation, _ broadcast: Broadcast<Int>,
        _ next: @escaping @Sendable (Version) async -> (state: Int, version: Version)?
    ) -> () -> String? {
        let log = Log<Int>()
        simulation.task("reader") {
            var version = Version.none
            while let newer = await next(version) {
                version = newer.version
                log.note(newer.state)
            }
        }
        simulation.task("writer") {
            for state in 1...2 {
                broadcast.set(state)
                await simulation.step()
            }
            broadcast.end()
        }
        return { log.notes.last == 2 && log.notes == log.notes.sorted() ? nil : "found \(log.notes)" }
    }
}
