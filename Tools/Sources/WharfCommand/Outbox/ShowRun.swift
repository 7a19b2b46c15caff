import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf outbox show`.
struct ShowRun {
    let outbox: OpenOutbox
    let id: OutboxEntry.ID
    let reveals: Bool
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        guard let record = try await outbox.store.record(of: id) else {
            outbox.say(try await UnknownEntry(id).message(outbox))
            return .notDone
        }
        let account = record.entry.account
        let paused = try await outbox.store.counts(of: account).paused
        var letters: [DeadLetter] = []
        let dead = record.states.values.count { if case .dead = $0 { true } else { false } }
        if dead > 0 {
            try await outbox.deadLetters(of: account) { letter in
                if letter.entry.id == id { letters.append(letter) }
                return letters.count < dead
            }
        }
        let deliveries = try await outbox.deliveries(of: record, paused: Set(paused.keys))
        let waiting = Set(deliveries.filter { $0.state == .paused || $0.state == .waiting }.map(\.destination))
        let shown = ShownEntry(
            entry: record.entry, deliveries: deliveries, letters: letters,
            pauses: paused.filter { waiting.contains($0.key) },
            reveals: reveals)
        if isJSON {
            try outbox.write(shown.json.line)
        } else {
            for line in shown.lines(at: outbox.surroundings.clock.now()) { try outbox.write(line: line) }
        }
        return .delivered
    }
}
