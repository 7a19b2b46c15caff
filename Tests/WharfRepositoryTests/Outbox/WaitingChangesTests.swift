import Synchronization
import Testing
import WharfCore
import WharfStores
import WharfTesting

@testable import WharfRepository

/// What is known of many changes that wait.
@Suite(.timeLimit(.minutes(1)))
struct WaitingChangesTests {
    /// Counts how often one is looked up.
    struct CountedID: Hashable, Sendable {
        /// Each test's own: they run side by side.
        final class Looks: Sendable { let count = Atomic(0) }

        let number: Int
        var looks: Looks?

        static func == (a: Self, b: Self) -> Bool { a.number == b.number }

        func hash(into hasher: inout Hasher) {
            looks?.count.add(1, ordering: .relaxed)
            hasher.combine(number)
        }
    }

    struct Thing: Identifiable, Sendable { let id: CountedID }

    private let failure = DeliveryFailure(.unavailable, message: "scripted: 503", status: 503)
    private let offline = DeliveryFailure(.offline, message: "scripted: nobody listens")

    private let looks = CountedID.Looks()

    private func begin(_ number: Int, of model: Int, in waiting: WaitingChanges<Thing>) -> OutboxEntry.ID {
        let entry = OutboxEntry.ID("\(number)")
        let id = CountedID(number: model, looks: looks)
        _ = waiting.begin(
            entry,
            .init(
                number: UInt64(number), order: UInt64(number), key: EntityKey(kind: "thing", id: "\(model)"), id: id,
                isAddition: false, decision: Decision()))
        return entry
    }

    @Test func oneOfManyCostsNoLookAtTheOthers() async throws {
        let waiting = WaitingChanges<Thing>(RecordingOutbox(store: MemoryWriteStore()))
        try await waiting.restoreOnce(on: nil) {}
        let entries = (0..<10_000).map { begin($0, of: $0, in: waiting) }
        let pending = PendingStates(current: waiting.known) {
            ((waiting.told.states, waiting.told.number), waiting.known.latest.version)
        }
        var seen = pending.makeAsyncIterator()
        #expect(await seen.next(isolation: nil)?.count == 10_000)
        let before = looks.count.load(ordering: .relaxed)
        waiting.sending(entries[77])
        let told = await seen.next(isolation: nil)
        let count = looks.count.load(ordering: .relaxed) - before
        #expect(count > 0 && count < 50, "looked \(count) times")
        #expect(told?[CountedID(number: 77)] == .sending && told?.count == 10_000)
    }

    @Test func whatChangesNothingForAnybodyIsNotTold() async throws {
        let waiting = WaitingChanges<Thing>(RecordingOutbox(store: MemoryWriteStore()))
        let (a, b) = (begin(1, of: 1, in: waiting), begin(2, of: 1, in: waiting))
        waiting.sending(a)
        let number = waiting.told.number
        waiting.update(b) { $0.isHeard = true }
        waiting.reorder(b, to: 9)
        // Of two of one model the one that is sent says more.
        waiting.update(b) { $0.failure = failure }
        #expect(waiting.told.number == number)
        waiting.decided(a, .delivered(nil), nil)
        #expect(waiting.told.states == [CountedID(number: 1): .waiting(failure)])
    }

    @Test func whatHoldsAllIsToldOfAllUntilOneArrives() async throws {
        let waiting = WaitingChanges<Thing>(RecordingOutbox(store: MemoryWriteStore()))
        let entries = (1...3).map { begin($0, of: $0, in: waiting) }
        waiting.answered(entries[0], offline)
        #expect((1...3).allSatisfy { waiting.told.states[CountedID(number: $0)] == .waiting(offline) })
        _ = waiting.bury(entries[1], .init(id: nil, failure: failure, order: 2))
        waiting.decided(entries[0], .delivered(nil), nil)
        #expect(
            waiting.told.states == [CountedID(number: 2): .failed(failure), CountedID(number: 3): .waiting(nil)])
        #expect(waiting.remove(entries[2]) != nil && waiting.remove(entries[1]) == nil)
        #expect(waiting.told.states.isEmpty)
    }

    @Test func whatHasAnotherIDIsToldOfThat() {
        let waiting = WaitingChanges<Thing>(RecordingOutbox(store: MemoryWriteStore()))
        let entry = begin(1, of: 1, in: waiting)
        waiting.update(entry) { $0.id = CountedID(number: 42) }
        #expect(waiting.told.states == [CountedID(number: 42): .waiting(nil)])
    }
}
