internal import WharfCore

/// What could not be rewritten when its ids came: those that its payload still lacks.
typealias OwedIDs = [OutboxEntry.ID: [String: String]]

extension Commit {
    /// Adds what follows from ids that receivers gave in the place of temporary ones: they are put into the entries that wait for them.
    ///
    /// - Returns: what nobody here can rewrite: of kinds that nobody has registered yet, or that can't be read.
    mutating func rewriteDependents(
        of assigned: [Parcel.Assigned], in journal: any WriteStore
    ) async throws(StoreError) -> OwedIDs {
        var owed: OwedIDs = [:]
        // One entry may depend on several.
        var payloads: [OutboxEntry.ID: [UInt8]] = [:]
        for assigned in assigned {
            let dependents = try await journal.dependents(of: assigned.entry)
            self.assigned.append(
                IDAssignment(assigned.entry, ids: assigned.ids, dependents: Set(dependents.map(\.id))))
            for dependent in dependents {
                let payload = payloads[dependent.id] ?? dependent.payload
                if let rewritten = assigned.rewriting(payload, of: dependent) {
                    payloads[dependent.id] = rewritten
                } else {
                    owed[dependent.id, default: [:]].merge(assigned.ids) { $1 }
                }
            }
        }
        rewritten += payloads.sorted { $0.key < $1.key }.map { Rewrite($0.key, payload: $0.value) }
        return owed
    }
}

extension Parcel.Assigned {
    /// nil where nobody can read it: it is asked for again when the entry's turn comes, and set aside then.
    fileprivate func rewriting(_ payload: [UInt8], of dependent: OutboxEntry) -> [UInt8]? {
        // Who gave the ids, or else the first of the entry's own destinations that knows its kind.
        let names = [destination] + dependent.targets.map(\.destination)
        let reader = names.lazy.compactMap { destinations[$0] }.first { $0.kinds.contains(dependent.kind.name) }
        guard let reader else { return nil }
        do { return try reader.rewriting(payload, of: dependent.kind, ids: ids) } catch { return nil }
    }
}
