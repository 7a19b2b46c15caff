#if SQLite
internal import GRDB
internal import WharfCore

extension JournalWriter {
    /// The state of a delivery in the damaged file.
    enum SalvagedState {
        case pending(DeliveryRow, next: WallTime)
        case dead(DeliveryRow, at: WallTime, theirs: [UInt8]?)
        case waiting(at: WallTime?)
        case settled(SettledState)
    }

    /// Adds an entry with the states of its deliveries.
    ///
    /// - Parameter states: by destination. A delivery without a known state is attempted again.
    mutating func restore(
        _ entry: OutboxEntry, wasAttempted: Bool, owed: [String: String], _ states: [String: SalvagedState]
    ) throws {
        var head = try insert(entry)
        try owe(head.seq, owed)
        let targets = EntryColumn(entry).targetByDestination
        for destination in EntryColumn(entry).destinations {
            var row = DeliveryRow(
                route: try route(head, destination), deliveryClass: entry.deliveryClass.number)
            switch states[destination] {
            case .pending(let known, let next):
                (row.attempts, row.first, row.failure) = (known.attempts, known.first, known.failure)
                (row.counted, row.last) = (known.counted, known.last)
                try putPending(row, head, destination, next: next)
            case .dead(let known, let time, let theirs):
                (row.attempts, row.first) = (known.attempts, known.first)
                try putDead(row, head, destination, known.failure ?? [], at: time, theirs: theirs)
            case .waiting(let time): try putWaiting(row, head, destination, at: time)
            case .settled(let state): try putSettled(state, &head, destination)
            // The state is lost. A second delivery is harmless, because the receiver knows the key;
            // a lost one is not.
            case nil where targets[destination]?.condition == .always:
                try putPending(row, head, destination, next: entry.enqueuedAt)
            case nil: try putWaiting(row, head, destination, at: targets[destination]?.time(of: entry))
            }
        }
        // Entries are restored in order, but an older one may depend on a newer.
        for dependent in try dependents(of: entry.id) where dependent != head.seq {
            try change(unmetOf: dependent, by: 1)
        }
        if wasAttempted { try markAttempted(&head) }
        // All deliveries may be settled; the entry then goes at once.
        try follow(&head)
    }
}

extension OutboxEntry.Target {
    /// When the target's condition is met by time; nil if it never is.
    func time(of entry: OutboxEntry) -> WallTime? {
        guard case .unlessDelivered(_, let duration) = condition else { return nil }
        return entry.enqueuedAt + duration
    }
}
#endif
