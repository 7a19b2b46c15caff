import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStores

@testable import WharfRepository

/// What is known of many changes that wait.
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
                isAddition: false, decision: Promise()))
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

    // MARK: Any of them

    private enum Step: CaseIterable, Sendable {
        case begin, send, hold, decide, refuse, bury, remove, offline, reach, move
    }

    private struct Event: Sendable {
        let step: Step
        let entry: Int
        let model: Int
    }

    /// The state of a model is that of the change which says most, and of equals the earliest.
    @Test func whateverHappensIsToldAsByALookAtAll() async throws {
        let events = Generator<[Event]> { choices in
            var events: [Event] = []
            for _ in 0..<(try choices.draw(.int(in: 0...60))) {
                // They begin more often than anything else.
                let step = try choices.draw(.int(in: 0...3)) == 0 ? .begin : choices.draw(.element(of: Step.allCases))
                let (entry, model) = (try choices.draw(.int(in: 0...5)), try choices.draw(.int(in: 0...1)))
                events.append(Event(step: step, entry: entry, model: model))
            }
            return events
        }
        try await forAll(events, runs: 500) { events in
            let waiting = WaitingChanges<Thing>(RecordingOutbox(store: MemoryWriteStore()))
            var naive = NaiveStates()
            for (number, event) in events.enumerated() {
                let failure = DeliveryFailure(.unavailable, message: "\(number)")
                apply(event.step, event.entry, event.model, failure, to: waiting)
                naive.apply(event.step, event.entry, event.model, failure, offline)
                let told = waiting.told.states.map { ($0.key.number, $0.value) }
                try require(
                    Dictionary(uniqueKeysWithValues: told) == naive.told,
                    "after \(number) steps of \(events): \(told) is told, not \(naive.told)")
            }
        }
    }

    @Test func whatComesAndGoesBehindAFailureIsForgotten() {
        var standings = Standings()
        let (dead, late) = (OutboxEntry.ID("dead"), OutboxEntry.ID("late"))
        standings.insert(.init(dead, number: 0))
        standings.set(dead, to: .failed)
        for number in 1...1_000 {
            let entry = OutboxEntry.ID("\(number)")
            standings.insert(.init(entry, number: UInt64(number)))
            standings.set(entry, to: .waiting)
            standings.set(entry, to: .sending)
            standings.remove(entry)
        }
        #expect(standings.queued < 100)
        standings.insert(.init(late, number: 2_000))
        standings.set(late, to: .waiting)
        #expect(standings.first(.failed)?.entry == dead)
        #expect(standings.first(.waiting)?.entry == late)
    }

    private func apply(
        _ step: Step, _ number: Int, _ model: Int, _ failure: DeliveryFailure, to waiting: WaitingChanges<Thing>
    ) {
        let entry = OutboxEntry.ID("\(number)")
        switch step {
        case .begin: _ = begin(number, of: model, in: waiting)
        case .send: waiting.sending(entry)
        case .hold: waiting.answered(entry, failure)
        case .decide: waiting.decided(entry, .delivered(nil), nil)
        case .refuse: waiting.decided(entry, .delivered(nil), failure)
        case .bury: _ = waiting.bury(entry, .init(id: CountedID(number: model), failure: failure, order: 0))
        case .remove: _ = waiting.remove(entry)
        case .offline: waiting.answered(.init("none"), offline)
        case .reach: waiting.answered(.init("none"), failure)
        case .move: waiting.update(entry) { $0.id = CountedID(number: model) }
        }
    }

    /// The same with a look at each.
    private struct NaiveStates {
        struct Change {
            let entry: Int
            var model: Int
            var failure: DeliveryFailure?
            var isSending = false
            var isDecided = false
            var isDead = false
        }

        var changes: [Change] = []
        var unreached: DeliveryFailure?

        mutating func apply(
            _ step: Step, _ entry: Int, _ model: Int, _ failure: DeliveryFailure, _ offline: DeliveryFailure
        ) {
            func update(_ body: (inout Change) -> Void) {
                for index in changes.indices where changes[index].entry == entry && !changes[index].isDead {
                    body(&changes[index])
                }
            }
            switch step {
            case .begin:
                remove(entry)
                changes.append(Change(entry: entry, model: model))
            case .send: update { $0.isSending = true }
            case .hold: update { ($0.isSending, $0.failure) = (false, failure) }
            case .decide: update { ($0.isDecided, $0.isSending, $0.failure) = (true, false, nil) }
            case .refuse: update { ($0.isDecided, $0.isSending, $0.failure) = (true, false, failure) }
            case .bury:
                let known = changes.first { $0.entry == entry && !$0.isDead }
                remove(entry)
                changes.append(Change(entry: entry, model: known?.model ?? model, failure: failure, isDead: true))
            case .remove: remove(entry)
            case .move:
                guard let index = changes.firstIndex(where: { $0.entry == entry && !$0.isDead && $0.model != model })
                else { return }
                var moved = changes.remove(at: index)
                moved.model = model
                changes.append(moved)
            case .offline, .reach: break
            }
            switch step {
            case .offline: unreached = offline
            case .hold, .decide, .refuse, .reach: unreached = nil
            default: break
            }
        }

        private mutating func remove(_ entry: Int) {
            changes.removeAll { $0.entry == entry }
            if !changes.contains(where: { !$0.isDead }) { unreached = nil }
        }

        var told: [Int: PendingState] {
            var told: [Int: (rank: Int, state: PendingState)] = [:]
            for change in changes {
                let failure = change.failure ?? unreached
                var new: (rank: Int, state: PendingState)? = (failure == nil ? 0 : 1, .waiting(failure))
                if change.isSending { new = (2, .sending) }
                if change.isDecided || change.isDead { new = change.failure.map { (3, .failed($0)) } }
                guard let new, new.rank > told[change.model]?.rank ?? -1 else { continue }
                told[change.model] = new
            }
            return told.mapValues(\.state)
        }
    }
}
