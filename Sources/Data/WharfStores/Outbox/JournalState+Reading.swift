internal import WharfCore
internal import WharfStorage

extension JournalState {
    func dependents(of entry: OutboxEntry.ID) -> [OutboxEntry] {
        (dependents[entry] ?? []).sorted().compactMap { items[$0] }
            .filter { item in item.deliveries.indices.allSatisfy { isUntouched(item, $0) } }.map(\.entry)
    }

    func assignedIDs(for temporary: Set<String>, of account: Account?) -> [String: String] {
        assigned.ids(for: temporary, of: account)
    }

    func record(of entry: OutboxEntry.ID) -> OutboxRecord? { item(entry).map(record) }

    func records(of account: Account?, kind: String?, after: Int64?, limit: Int) -> [OutboxRecord] {
        guard let order = order[account] else { return [] }
        return Array(
            order.elements(after: after).lazy.compactMap { items[$0] }
                .filter { kind == nil || $0.entry.kind.name == kind }.prefix(max(0, limit)).map(record))
    }

    func deadLetters(of account: Account?, after: DeliveryID?, limit: Int) -> [DeadLetter] {
        guard let order = deadOrder[account] else { return [] }
        // The entry of the cursor may be gone. Its predecessor by id is the place then.
        let start = after.flatMap { position(of: $0.entry, account) }
        var letters: [DeadLetter] = []
        if let after, let start, let item = items[start], item.entry.id == after.entry, item.entry.account == account {
            // The last letter of the page before may not be the last of its entry.
            letters += deadLetters(of: item).drop { $0.destination != after.destination }.dropFirst()
        }
        for position in order.elements(after: start) {
            guard letters.count < limit else { break }
            if let item = items[position] { letters += deadLetters(of: item) }
        }
        return Array(letters.prefix(max(0, limit)))
    }

    func counts(of account: Account?) -> OutboxCounts {
        var counts = counts[account] ?? OutboxCounts()
        counts.paused = paused[account] ?? [:]
        return counts
    }

    func oldestPending(of account: Account?) -> [String: WallTime] {
        var oldest: [String: WallTime] = [:]
        for (row, table) in laneTables where row.account == account {
            oldest[row.destination] = table.lanes.values.compactMap { lane in
                lane.queue.head.flatMap { items[$0]?.entry.enqueuedAt }
            }.min()
        }
        return oldest
    }

    private func record(_ item: JournalItem) -> OutboxRecord {
        let isBlocked = item.entry.dependencies.contains { positions[$0] != nil }
        let states = item.deliveries.map { ($0.destination, $0.recorded(isBlocked: isBlocked)) }
        return OutboxRecord(
            entry: item.entry, position: item.position, states: Dictionary(states) { first, _ in first })
    }

    private func deadLetters(of item: JournalItem) -> [DeadLetter] {
        item.deliveries.compactMap { delivery in
            guard case .dead(let failure, let time, let theirs) = delivery.state else { return nil }
            return DeadLetter(
                entry: item.entry, destination: delivery.destination, attempts: delivery.attempts, failure: failure,
                diedAt: time, theirs: theirs)
        }
    }
}

extension JournalItem.Delivery {
    fileprivate func recorded(isBlocked: Bool) -> OutboxRecord.State {
        switch state {
        case .waiting: .waiting
        case .pending where isBlocked: .waiting
        case .pending: .pending(attempts: attempts, nextAttempt: nextAttempt, lastFailure)
        case .delivered: .delivered
        case .unneeded: .unneeded
        case .discarded: .discarded
        case .dropped(let reason): .dropped(reason)
        case .dead(let failure, _, _): .dead(attempts: attempts, failure)
        }
    }
}
