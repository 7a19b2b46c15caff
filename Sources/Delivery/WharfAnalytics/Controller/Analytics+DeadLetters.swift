internal import WharfCore
internal import WharfStorage

// The outbox keeps dead letters until a person decides. Events may produce more of them than a
// person can review.
extension Analytics {
    func keepDeadLettersWithinLimit() async {
        do throws(StoreError) {
            try await discardSurplus()
        } catch {
            onIncident(
                Incident(
                    .deadLettersNotDiscarded,
                    message: "the outbox could not discard the oldest of more than \(deadLimit) dead letters: "
                        + "\(error); it tries again when the next event is kept", cause: error))
        }
    }

    // Only the task that writes the queue calls this, one call at a time. So no other count comes
    // between the read in `counted` and its commit.
    private func discardSurplus() async throws(StoreError) {
        var surplus = surplus(in: try await outbox.store.counts(of: account))
        var last: DeliveryID?
        while !surplus.isEmpty {
            let page = try await outbox.store.deadLetters(of: account, after: last, limit: 256)
            var commit = Commit()
            for letter in page where letter.entry.kind.name == AnalyticsDestination.kind.name {
                guard let left = surplus[letter.destination] else { continue }
                surplus[letter.destination] = left == 1 ? nil : left - 1
                commit.discarded.append(letter.id)
            }
            if !commit.discarded.isEmpty {
                commit.entities = try await counted(commit.discarded)
                try await outbox.store.commit(commit)
            }
            guard let end = page.last, page.count == 256 else { return }
            last = end.id
        }
    }

    /// The number of dead letters above the limit, by sinks.
    ///
    /// A sink with a small surplus is left out. To find its letters costs a walk through letters of
    /// all kinds.
    private func surplus(in counts: OutboxCounts) -> [String: Int] {
        var surplus: [String: Int] = [:]
        for destination in destinations {
            let dead = counts.dead[.init(destination.name, kind: AnalyticsDestination.kind.name)] ?? 0
            // A sixteenth above the limit, so that the walk is not repeated for each new letter.
            if dead - deadLimit > deadLimit / 16 { surplus[destination.name] = dead - deadLimit }
        }
        return surplus
    }

    // MARK: How many

    /// The key of the number of discarded dead letters.
    ///
    /// It is stored with the letters, so that both change in one commit and outlive the process.
    private func deadDroppedKey(_ sink: String) -> EntityKey {
        EntityKey(account: account, kind: "wharf.analytics.dead-dropped", id: sink)
    }

    /// Returns the numbers of discarded dead letters, by sinks.
    func deadDropped() async throws(StoreError) -> [String: Int] {
        let rows = try await outbox.store.rows(destinations.map { deadDroppedKey($0.name) })
        var numbers: [String: Int] = [:]
        for (key, row) in rows { numbers[key.id] = Int(String(decoding: row.bytes, as: UTF8.self)) }
        return numbers
    }

    private func counted(_ discarded: [DeliveryID]) async throws(StoreError) -> [EntityChange] {
        let before = try await deadDropped()
        let now = clock.now()
        return Dictionary(grouping: discarded, by: \.destination).map { sink, letters in
            let number = (before[sink] ?? 0) + letters.count
            return .put(EntityRow(key: deadDroppedKey(sink), bytes: Array("\(number)".utf8), asOf: now))
        }
    }
}
