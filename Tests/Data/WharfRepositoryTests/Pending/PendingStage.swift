import Synchronization
import WharfChecks
import WharfCore
import WharfPrimitives

@testable import WharfRepository

/// Builds pending changes without a repository.
enum PendingStage {
    /// An id that counts its lookups.
    struct CountedID: Hashable, Sendable {
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

    typealias Change = PendingChange<Thing>
    typealias State = PendingChanges<Thing>.State

    static let start = WallTime(nanoseconds: 0)

    static func entry(_ number: Int) -> OutboxEntry.ID { OutboxEntry.ID("\(number)") }

    static func change(
        _ number: Int, of model: Int, validator: String? = nil, behind: [Int] = [], version: String? = nil,
        isAddition: Bool = false, overlay: Overlay? = nil, _ phase: Change.Phase = .waiting,
        _ failure: DeliveryFailure? = nil, at position: Int? = nil, isLocal: Bool = false,
        looks: CountedID.Looks? = nil
    ) -> Change {
        let id = entry(number)
        var change = Change(
            OutboxEntry(id: id, lane: "\(model)", kind: .init("thing"), payload: [], targets: [], enqueuedAt: start),
            key: EntityKey(kind: "thing", id: "\(model)"), id: CountedID(number: model, looks: looks),
            .init(
                name: .init(version.map { "\(id.text) \($0)" } ?? id.text), chain: "",
                behind: behind.map { .init(entry($0).text) },
                validator: validator, isAddition: isAddition,
                isShown: overlay != nil, overlay: overlay),
            at: position.map { .journal(Int64($0)) }, isLocal: isLocal)
        (change.phase, change.failure) = (phase, failure)
        return change
    }

    static func overlay(_ number: Int) -> Overlay { Overlay(from: nil, to: [UInt8(number)], schema: 1, nil) }
}

extension PendingChanges<PendingStage.Thing>.State {
    /// Everything derived from the state, without its numbers.
    var view: [String] {
        let shown = (0...2).map { "\($0): \(self.shown("\($0)").layers)" }
        let states = published.states.map { "\($0.key.number) \($0.value)" }.sorted()
        let open = (0...2).map { self.open("\($0)").map { "\($0.entry) \($0.validator ?? "") \($0.phase)" } }
        return shown + states + open.flatMap(\.self) + additions(since: PendingStage.start).map(\.text)
            + ["\(openCount) \(deadCount) \(shownCount)", "\(entries(in: [.waiting, .sending, .decided, .dead]))"]
    }
}
