import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRandom
import WharfRepository
import WharfStores

/// Two clients and a third writer edit the same models at random. The service checks each edit that
/// it accepts for a lost update.
///
/// `make simulate SEEDS=1-1000` runs it with other seeds.
struct LostUpdateTests {
    /// The answers of the service that have an entity tag.
    enum Tags: CaseIterable { case all, some, none }

    @Test(arguments: Tags.allCases, [true, false])
    func noEditOverwritesAChangeThatItsMakerHasNotSeen(tags: Tags, isCoalescing: Bool) async throws {
        var taken = 0
        var conflicts = 0
        for seed in ChosenSeeds.chosen(otherwise: 1...15) {
            let run = EditingRun(seed: seed, tags: tags, isCoalescing: isCoalescing)
            try await run.play()
            let result = run.result
            for violation in result.violations { Issue.record("seed \(seed): \(violation)") }
            (taken, conflicts) = (taken + result.taken, conflicts + result.conflicts)
        }
        #expect(taken > 0 && conflicts > 0)
    }
}

private final class EditingRun: Sendable {
    typealias Note = WriteLaws.Note

    struct Result {
        var violations: [String] = []
        var taken = 0
        var conflicts = 0
    }

    private struct State {
        var random: SeededGenerator
        var result = Result()
        var count = 0
        var history = EditHistory()
        var isOnline = true
    }

    private static let ids = [1, 2]
    private let state: Mutex<State>
    private let stage: OutboxStage
    private let tags: LostUpdateTests.Tags
    private let isCoalescing: Bool

    init(seed: UInt64, tags: LostUpdateTests.Tags, isCoalescing: Bool) {
        (self.tags, self.isCoalescing) = (tags, isCoalescing)
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        stage = OutboxStage(Self.ids.map { Note(id: $0, title: "title \($0)", text: "text \($0)") })
    }

    var result: Result { state.withLock { $0.result } }

    private func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

    func play() async throws {
        let kind = isCoalescing ? OutboxStage.notes.coalescingEdits() : OutboxStage.notes
        let app = stage.begin(source("app"), kind: kind)
        let direct = Repository(
            OutboxStage.notes, in: MemoryEntityStore(), remote: source("direct"),
            configuration: .init(clock: stage.clock.wall))
        var forms: [String: Note] = [:]
        var receipts: [WriteReceipt<Note>] = []
        for _ in 0..<40 {
            let id = Self.ids[random(0..<Self.ids.count)]
            let isApp = random(0..<2) == 0
            let (name, notes) = isApp ? ("app", app.notes) : ("direct", direct)
            switch random(0..<10) {
            case 0...1: forms["\(name) \(id)"] = await notes.snapshot(id: id, policy: .networkFirst).value
            case 2:
                if let listed = try? await notes.list(policy: .networkFirst).first(where: { $0.id == id }) {
                    forms["\(name) \(id)"] = listed
                }
            case 3: turn(online: !state.withLock { $0.isOnline })
            case 4: writeElsewhere(id)
            case 5 where isApp: try await resolve(in: app.notes)
            case 6...7:
                let field = random(0..<2)
                let value = newValue()
                let edit = { @Sendable (note: inout Note) in self.set(field, of: &note, to: value, by: name) }
                if let receipt = try? await notes.edit(id, .optimistic, edit) { receipts.append(receipt) }
            default:
                guard let shown = forms["\(name) \(id)"] else { continue }
                var changed = shown
                set(random(0..<2), of: &changed, to: newValue(), by: name)
                if let receipt = try? await notes.edit(changed, basedOn: shown) { receipts.append(receipt) }
                if random(0..<2) == 0 { forms["\(name) \(id)"] = changed }
            }
            if state.withLock({ $0.isOnline }) { try await settle(&receipts) }
        }
        turn(online: true)
        try await settle(&receipts)
        await app.end()
        direct.close()
    }

    private func settle(_ receipts: inout [WriteReceipt<Note>]) async throws {
        let open = receipts
        receipts = []
        // An edit that is in conflict again waits for its backoff.
        try await stage.whileTimePasses {
            for receipt in open {
                if case .conflict = await receipt.delivery() { state.withLock { $0.result.conflicts += 1 } }
            }
            try await stage.settled()
        }
    }

    private func turn(online: Bool) {
        state.withLock { $0.isOnline = online }
        stage.connectivity.turn(online: online)
    }

    private func resolve(in notes: Repository<Note>) async throws {
        guard let conflict = try await notes.conflicts().first else { return }
        guard let mine = conflict.mine, let theirs = conflict.theirs, random(0..<3) > 0 else {
            return try await notes.resolve(conflict, with: .theirs)
        }
        state.withLock { state in
            for (wanted, shown) in [(mine.title, theirs.title), (mine.text, theirs.text)] {
                state.history.intend(wanted, over: shown, by: "app")
            }
        }
        try? await notes.resolve(conflict, with: .mine)
    }

    // MARK: The people

    private func newValue() -> String {
        state.withLock { state in
            state.count += 1
            return "value \(state.count)"
        }
    }

    private func set(_ field: Int, of note: inout Note, to value: String, by writer: String) {
        let shown = field == 0 ? note.title : note.text
        if field == 0 { note.title = value } else { note.text = value }
        state.withLock { $0.history.intend(value, over: shown, by: writer) }
    }

    private func model(_ id: Int) -> Note? { stage.service.models.first { $0.id == id } }

    /// Changes a model on behalf of a writer that is neither of the two clients.
    private func writeElsewhere(_ id: Int) {
        guard var note = model(id) else { return }
        let value = newValue()
        if random(0..<2) == 0 { note.title = value } else { note.text = value }
        state.withLock { $0.history.wrote(value, by: "elsewhere") }
        stage.service.put(note)
    }

    // MARK: The service

    private func source(_ client: String) -> RemoteSource<Note> {
        let service = stage.service.source
        let (get, list) = (service.get, service.list)
        return RemoteSource(
            get: { [self] id, mode in
                guard state.withLock({ $0.isOnline }) else {
                    return Snapshot(kept: nil, error: OutboxStage.unreachable)
                }
                let answer = await get(id, mode)
                // Without an entity tag the service can't detect a write between the client's read
                // and its write. So no other write is made here.
                guard hasTag else { return answer.untagged }
                if random(0..<4) == 0 { writeElsewhere(id) }
                return answer
            },
            list: { [self] query, mode in
                guard state.withLock({ $0.isOnline }) else {
                    return Snapshot(kept: nil, error: OutboxStage.unreachable)
                }
                return await list?(query, mode) ?? Snapshot(kept: nil)
            }
        ).writing { [self] change, key in
            guard state.withLock({ $0.isOnline }) else { return Snapshot(kept: nil, error: OutboxStage.unreachable) }
            guard case .edit(let note, _, _) = change, let before = model(note.id) else { return Snapshot(kept: nil) }
            let answer = await service.write?(change, key) ?? Snapshot(kept: nil)
            // Edits of the other model may be in flight.
            if let after = model(note.id) { judge(before, after, client) }
            if random(0..<4) == 0 { writeElsewhere(note.id) }
            if random(0..<8) == 0 { return Snapshot(kept: nil, error: OutboxStage.unreachable) }
            return hasTag ? answer : answer.untagged
        }
    }

    /// Whether the next answer has an entity tag.
    private var hasTag: Bool {
        switch tags {
        case .all: true
        case .some: random(0..<2) == 0
        case .none: false
        }
    }

    /// Checks that each member that an edit changed had a value that the editor has seen, or a
    /// value written by the same client.
    private func judge(_ old: Note, _ new: Note, _ client: String) {
        if old == new { return }
        state.withLock { state in
            state.result.taken += 1
            for (was, now) in [(old.title, new.title), (old.text, new.text)] where was != now {
                let isWanted = state.history.mayPut(now, over: was, by: client)
                if !isWanted { state.result.violations.append("\(client) has put \(now) over \(was)") }
                state.history.wrote(now, by: client)
            }
        }
    }
}
