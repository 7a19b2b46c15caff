internal import WharfCore
internal import WharfStorage

extension Commit {
    /// Replaces temporary ids by assigned ones in the entries that depend on them.
    ///
    /// Some entries can't be rewritten now: no registered destination knows their kind, or their
    /// payload is unreadable. The commit records the ids that these entries are owed.
    mutating func rewriteDependents(
        of assigned: [SettlementBatch.AssignedIDs], in journal: any WriteStore
    ) async throws(StoreError) {
        // One entry may depend on several.
        var payloads: [OutboxEntry.ID: [UInt8]] = [:]
        for assigned in assigned {
            // The commit names these dependents. The store refuses it if another one was enqueued
            // since, which would keep the temporary id.
            let dependents = try await journal.dependents(of: assigned.entry)
            var assignment = IDAssignment(assigned.entry, ids: assigned.ids, dependents: Set(dependents.map(\.id)))
            for dependent in dependents {
                // A second assignment starts from the result of the first. The journal still has
                // the payload without both.
                let payload = payloads[dependent.id] ?? dependent.payload
                if let rewritten = assigned.rewriting(payload, of: dependent) {
                    payloads[dependent.id] = rewritten
                } else {
                    assignment.owed.insert(dependent.id)
                }
            }
            self.assigned.append(assignment)
        }
        // Sorted, so that equal settlements make equal commits.
        rewritten += payloads.sorted { $0.key < $1.key }.map { Rewrite($0.key, payload: $0.value) }
    }
}

extension SettlementBatch.AssignedIDs {
    /// Returns nil if no destination can read the payload.
    ///
    /// When the entry is delivered the rewrite is tried again, and then it becomes a dead letter.
    fileprivate func rewriting(_ payload: [UInt8], of dependent: OutboxEntry) -> [UInt8]? {
        // The destination that assigned the ids, or else the first of the entry's own that knows
        // its kind.
        let names = [destination] + dependent.targets.map(\.destination)
        let reader = names.lazy.compactMap { destinations[$0] }.first { $0.kinds.contains(dependent.kind.name) }
        guard let reader else { return nil }
        do { return try reader.rewriting(payload, of: dependent.kind, ids: ids) } catch { return nil }
    }
}
