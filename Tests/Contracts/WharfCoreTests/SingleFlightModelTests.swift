import Simulation
import Testing
import WharfCore

/// Callers, a cancellation and the work in every interleaving.
@Suite struct SingleFlightModelTests {
    @Test func cancelledCallerLeavesTheOtherItsValue() throws {
        try Exploration.exhaustive { simulation in
            let flights = SingleFlight<String, Int>(executor: simulation)
            let (began, given, cancelledGiven) = (Log<Int>(), Log<Int?>(), Log<Int?>())
            let work = { @Sendable () async -> Int in
                began.note(1)
                await simulation.step()
                return began.notes.count
            }
            let cancelled = simulation.task("cancelled") {
                cancelledGiven.note(try? await flights.run("key", work))
            }
            simulation.task("other") { given.note(try? await flights.run("key", work)) }
            simulation.task("canceller") { cancelled.cancel() }
            return {
                guard given.notes.count == 1, given.notes[0] != nil else { return "the other got \(given.notes)" }
                guard cancelledGiven.notes.count == 1 else { return "the cancelled one did not end" }
                return flights.waiting(for: "key") == 0 ? nil : "a caller is left"
            }
        }
    }

    @Test func workOfACancelledLastCallerIsCancelled() throws {
        var seen: Set<Bool> = []
        try Exploration.exhaustive { simulation in
            let flights = SingleFlight<String, Int>(executor: simulation)
            let (wasCancelled, given) = (Log<Bool>(), Log<Int?>())
            let caller = simulation.task("caller") {
                given.note(
                    try? await flights.run("key") {
                        await simulation.step()
                        wasCancelled.note(Task.isCancelled)
                        return 7
                    })
            }
            simulation.task("canceller") { caller.cancel() }
            return {
                seen.formUnion(wasCancelled.notes)
                // Work that had not begun when its caller was cancelled does not begin.
                guard let work = wasCancelled.notes.first else { return given.notes == [nil] ? nil : "no work" }
                // A caller that is cancelled after the work has finished gets the value.
                return given.notes == [work ? nil : 7] ? nil : "cancelled: \(work), given \(given.notes)"
            }
        }
        #expect(seen == [true, false])
    }
}
