internal import WharfCore

extension Commit {
    /// Adds what follows from ids that receivers gave in the place of temporary ones: they are put
    /// into the entries that wait for them. What nobody here can rewrite, of kinds that nobody has
    /// registered yet or that can't be read, is owed to these.
    mutating func rewriteDependents(
        of assigned: [Parcel.Assigned], in journal: any WriteStore
    ) async throws(StoreError) {
        // One entry may depend on several.
        var payloads: [OutboxEntry.ID: [UInt8]] = [:]
        for assigned in assigned {
            let dependents = try await journal.dependents(of: assigned.entry)
            var assignment = IDAssignment(assigned.entry, ids: assigned.ids, dependents: Set(dependents.map(\.id)))
            for dependent in dependents {
                let payload = payloads[dependent.id] ?? dependent.payload
                if let rewritten = assigned.rewriting(payload, of: dependent) {
                    payloads[dependent.id] = rewritten
                } else {
                    assignment.owed.insert(dependent.id)
                }
            }
            self.assigned.append(assignment)
        }
        rewritten += payloads.sorted { $0.key < $1.key }.map { Rewrite($0.key, payload: $0.value) }
    }
}

extension Parcel.Assigned {
    /// nil where nobody can read it: it is asked for again when the entry's turn comes, and set
    /// aside then.
    fileprivate func rewriting(_ payload: [UInt8], of dependent: OutboxEntry) -> [UInt8]? {
        // Who gave the ids, or else the first of the entry's own destinations that knows its kind.
        let names = [destination] + dependent.targets.map(\.destination)
        let reader = names.lazy.compactMap { destinations[$0] }.first { $0.kinds.contains(dependent.kind.name) }
        guard let reader else { return nil }
        do { return try reader.rewriting(payload, of: dependent.kind, ids: ids) } catch { return nil }
    }
}
