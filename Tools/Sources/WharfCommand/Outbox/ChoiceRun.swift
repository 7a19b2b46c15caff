import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf outbox retry` or `discard`.
struct ChoiceRun {
    enum Choice {
        case retry
        case discard
    }

    let outbox: OpenOutbox
    let choice: Choice
    /// The entries; nil for all dead letters.
    let ids: [OutboxEntry.ID]?
    let filter: DeliveryFilter
    /// Whether to skip the confirmation.
    let isSure: Bool
    let isJSON: Bool

    /// The maximum number of deliveries in one commit.
    private static let most = 500

    private struct Chosen {
        let id: DeliveryID
        let kind: String
    }

    func run() async throws -> ProcessStatus {
        guard let chosen = try await chosen() else { return .notDone }
        guard !chosen.isEmpty else {
            outbox.say(
                "no dead letters in \(outbox.path)\(filter == DeliveryFilter() ? "" : " that match the options")")
            return .delivered
        }
        guard try isSure || confirmed(chosen) else {
            outbox.say("nothing was discarded")
            return .notDone
        }
        return try await commit(chosen)
    }

    private func commit(_ chosen: [Chosen]) async throws -> ProcessStatus {
        var count = 0
        // A failed write to the reader must not stop the commits halfway, so it is thrown at the
        // end.
        var unwritten: (any Error)?
        do {
            for start in stride(from: 0, to: chosen.count, by: Self.most) {
                let part = try await current(chosen[start..<min(start + Self.most, chosen.count)])
                if part.isEmpty { continue }
                var commit = Commit()
                switch choice {
                case .retry: commit.retried = part.map(\.id)
                case .discard: commit.discarded = part.map(\.id)
                }
                try await outbox.store.commit(commit)
                count += part.count
                guard isJSON, unwritten == nil else { continue }
                do {
                    try outbox.write(part.flatMap { json($0).line })
                } catch {
                    unwritten = error
                }
            }
        } catch {
            outbox.say("\(done) \(count) of \(chosen.count)")
            throw error
        }
        if count < chosen.count {
            outbox.say("\(Plain.deliveries(chosen.count - count)) had changed meanwhile, and were left unchanged")
        }
        if let unwritten { throw unwritten }
        if !isJSON { try outbox.write(line: "\(done) \(Plain.deliveries(count))") }
        return count > 0 ? .delivered : .notDone
    }

    private var done: String { choice == .retry ? "retried" : "discarded" }

    /// Returns the chosen deliveries that are still eligible.
    ///
    /// The app keeps running while the user is asked.
    private func current(_ part: ArraySlice<Chosen>) async throws -> [Chosen] {
        var deliveries: Set<DeliveryID> = []
        for id in Set(part.map(\.id.entry)) {
            guard let record = try await outbox.store.record(of: id) else { continue }
            for delivery in ShownDelivery.all(of: record) where isCurrent(delivery) { deliveries.insert(delivery.id) }
        }
        return part.filter { deliveries.contains($0.id) }
    }

    private func isCurrent(_ delivery: ShownDelivery) -> Bool {
        ids == nil ? delivery.state == .dead : isChoosable(delivery)
    }

    private func json(_ chosen: Chosen) -> JSONObject {
        var object = JSONObject()
        object.add("id", chosen.id.entry.text)
        object.add("destination", chosen.id.destination)
        object.add("kind", chosen.kind)
        object.add("done", done)
        return object
    }

    // MARK: What is meant

    /// Returns the chosen deliveries; nil if one of them is not eligible, so that nothing is done.
    private func chosen() async throws -> [Chosen]? {
        guard let ids else { return try await dead() }
        return try await named(ids)
    }

    private func named(_ ids: [OutboxEntry.ID]) async throws -> [Chosen]? {
        var chosen: [Chosen] = []
        var isWhole = true
        for id in ids {
            guard let record = try await outbox.store.record(of: id) else {
                outbox.say(try await UnknownEntry(id).message(outbox))
                isWhole = false
                continue
            }
            let all = ShownDelivery.all(of: record)
            let meant = all.filter { isChoosable($0) && filter.takes($0.entry, to: $0.destination) }
            if meant.isEmpty {
                let states = all.map { "\($0.destination): \($0.stateName)" }.joined(separator: ", ")
                let what = choice == .retry ? "a dead letter" : "a delivery that waits or is dead"
                outbox.say(
                    "expected \(what) of \(id) that matches the options, found none (\(states)); nothing was done")
                isWhole = false
            }
            chosen += meant.map { Chosen(id: $0.id, kind: $0.entry.kind.name) }
        }
        return isWhole ? chosen : nil
    }

    private func isChoosable(_ delivery: ShownDelivery) -> Bool {
        choice == .retry ? delivery.state == .dead : delivery.state != nil
    }

    private func dead() async throws -> [Chosen] {
        var chosen: [Chosen] = []
        for account in try await outbox.accounts(filter) {
            try await outbox.deadLetters(of: account) { letter in
                if filter.takes(letter.entry, to: letter.destination) {
                    chosen.append(Chosen(id: letter.id, kind: letter.entry.kind.name))
                }
                return true
            }
        }
        return chosen
    }

    // MARK: Asking

    private func confirmed(_ chosen: [Chosen]) throws -> Bool {
        guard outbox.surroundings.inputIsTerminal else {
            throw UsageError(
                "expected --yes, or a terminal for the question, found neither; "
                    + "discarded deliveries are not sent any more"
            )
        }
        let routes = Dictionary(grouping: chosen) { "\($0.kind) to \($0.id.destination)" }
        let parts = routes.sorted { $0.key < $1.key }.map { "\($0.value.count) × \($0.key)" }
        outbox.surroundings.writeError(
            Plain.shown(
                """
                discard \(Plain.deliveries(chosen.count)) (\(parts.joined(separator: ", ")))? Discarded \
                deliveries are not sent any more; attempted ones may have arrived.
                """) + " [y/N] ")
        let answer = try outbox.surroundings.readLine()
        // At the end of the input the cursor is still after the question.
        if answer == nil { outbox.surroundings.writeError("\n") }
        return ["y", "yes"].contains(answer?.lowercased() ?? "")
    }
}
