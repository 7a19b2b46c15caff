import Testing
import WharfChecks
import WharfCore

@testable import WharfRepository

/// The fold of pending changes over random events.
struct PendingFoldTests {
    typealias Change = PendingStage.Change
    typealias State = PendingStage.State

    private enum Step: CaseIterable, Sendable {
        case begin, send, hold, decide, deliver, receive, refuse, bury, settle, offline, reach, conflict, merge, record
    }

    private struct Event: Sendable {
        let step: Step
        let entry: Int
        let model: Int
    }

    private static let offline = DeliveryFailure(.offline, message: "scripted: the network is down")

    private static func events(_ most: Int) -> Generator<[Event]> {
        Generator { choices in
            var events: [Event] = []
            for _ in 0..<(try choices.draw(.int(in: 0...most))) {
                // Begin events are drawn more often than all others.
                let step = try choices.draw(.int(in: 0...3)) == 0 ? .begin : choices.draw(.element(of: Step.allCases))
                let (entry, model) = (try choices.draw(.int(in: 0...5)), try choices.draw(.int(in: 0...1)))
                events.append(Event(step: step, entry: entry, model: model))
            }
            return events
        }
    }

    private func fold(_ event: Event, _ failure: DeliveryFailure) -> PendingEvent<PendingStage.Thing> {
        let entry = PendingStage.entry(event.entry)
        let overlay = event.entry.isMultiple(of: 3) ? nil : PendingStage.overlay(event.entry)
        func change(_ phase: Change.Phase = .waiting, _ failure: DeliveryFailure? = nil, at: Int? = nil) -> Change {
            PendingStage.change(
                event.entry, of: event.model, isAddition: event.entry == 4, overlay: overlay, phase, failure, at: at)
        }
        switch event.step {
        case .begin: return .begun(change())
        case .send: return .sending(entry)
        case .hold: return .answered(entry, failure)
        case .decide: return .decided(entry, nil, at: PendingStage.start)
        case .deliver: return .decided(entry, nil, .init(validator: "v", added: nil), at: PendingStage.start)
        case .receive: return .received(entry, .init(validator: "v", added: nil), at: PendingStage.start)
        case .refuse: return .decided(entry, failure, at: PendingStage.start)
        case .bury: return .recorded(change(.dead, failure, at: event.entry))
        case .settle: return .settled(entry)
        case .offline: return .answered(.init("none"), Self.offline)
        case .reach: return .answered(.init("none"), failure)
        case .conflict: return .conflicted(entry, theirs: Snapshot(kept: nil, error: .nothingKept))
        case .merge:
            let overlay = PendingStage.overlay(100 + event.entry)
            let merged = PendingStage.change(event.entry, of: event.model, version: "merged", overlay: overlay)
            return .merged(entry, merged.content)
        case .record: return .recorded(change(at: event.entry))
        }
    }

    @Test func anEventThatComesTwiceHasNoEffectTheSecondTime() async throws {
        try await forAll(Self.events(30), runs: 500) { events in
            var state = State()
            for (number, event) in events.enumerated() {
                let event = fold(event, DeliveryFailure(.unavailable, message: "\(number)"))
                state.apply(event)
                let (view, published) = (state.view, state.published.number)
                state.apply(event)
                try require(state.view == view, "\(event) changed \(view) to \(state.view) the second time")
                try require(state.published.number == published, "\(event) was told twice")
            }
        }
    }

    @Test func recordsInAnyOrderGiveTheSameState() async throws {
        struct Drawn: Sendable {
            let records: [Change]
            let own: [Int]
            let order: [Int]
        }
        let drawn = Generator<Drawn> { choices in
            let count = try choices.draw(.int(in: 0...8))
            var records: [Change] = []
            for number in 0..<count {
                let model = try choices.draw(.int(in: 0...2))
                let failure = try choices.draw(
                    .element(of: [nil, Self.offline, DeliveryFailure(.needsAuthentication, message: "\(number)")]))
                let isDead = try choices.draw(.int(in: 0...3)) == 0
                records.append(
                    PendingStage.change(
                        number, of: model, isAddition: try choices.draw(.bool), overlay: PendingStage.overlay(number),
                        isDead ? .dead : .waiting, failure, at: try choices.draw(.int(in: 0...1)) * 100 + number))
            }
            var own: [Int] = []
            for number in 0..<count where try choices.draw(.bool) { own.append(number) }
            var (rest, order) = (Array(0..<count), [Int]())
            while !rest.isEmpty { order.append(rest.remove(at: try choices.draw(.int(in: 0...(rest.count - 1))))) }
            return Drawn(records: records, own: own, order: order)
        }
        try await forAll(drawn, runs: 500) { drawn in
            var (sorted, other) = (State(), State())
            for record in drawn.records { sorted.apply(.recorded(record)) }
            // The changes that this process has enqueued are known before they are read.
            for number in drawn.own where drawn.records[number].phase == .waiting {
                let record = drawn.records[number]
                other.apply(
                    .begun(
                        PendingStage.change(
                            number, of: Int(record.key.id) ?? 0, isAddition: record.content.isAddition,
                            overlay: record.content.overlay)))
            }
            for number in drawn.order { other.apply(.recorded(drawn.records[number])) }
            try require(other.view == sorted.view, "\(other.view) instead of \(sorted.view)")
        }
    }

    /// The state of a model is that of its most important change, or the earliest of equal ones.
    @Test func toldStatesEqualAFullRecomputation() async throws {
        try await forAll(Self.events(60), runs: 500) { events in
            var state = State()
            for (number, event) in events.enumerated() {
                state.apply(fold(event, DeliveryFailure(.unavailable, message: "\(number)")))
                let published = Dictionary(
                    uniqueKeysWithValues: state.published.states.map { ($0.key.number, $0.value) })
                let naive = naive(state, events.prefix(number + 1))
                try require(
                    published == naive, "after \(number) steps of \(events): \(published) is told, not \(naive)")
                let shown = (0...1).map { state.shown("\($0)").layers.count }.reduce(0, +)
                try require(shown == state.shownCount, "\(shown) are shown, \(state.shownCount) are counted")
            }
        }
    }

    /// The expected states, computed from every change.
    private func naive(_ state: State, _ events: some Sequence<Event>) -> [Int: PendingState] {
        var unreached: DeliveryFailure?
        var partial = State()
        for event in events {
            partial.apply(fold(event, Self.offline))
            switch event.step {
            case .offline: unreached = Self.offline
            case .hold, .decide, .deliver, .refuse, .reach: unreached = nil
            default: break
            }
            if partial.openCount == 0 { unreached = nil }
        }
        var published: [Int: (rank: Int, state: PendingState)] = [:]
        let changes = state.changes.values.sorted { ($0.place ?? .local(0)) < ($1.place ?? .local(0)) }
        for change in changes {
            let failure = change.failure ?? unreached
            var new: (rank: Int, state: PendingState)? = (failure == nil ? 0 : 1, .waiting(failure))
            if change.phase == .sending { new = (2, .sending) }
            if change.phase == .decided || change.phase == .dead { new = change.failure.map { (3, .failed($0)) } }
            guard let new, let id = change.id?.number, new.rank > published[id]?.rank ?? -1 else { continue }
            published[id] = new
        }
        return published.mapValues(\.state)
    }
}
