internal import WharfCore

// Decisions of a person about changes that were set aside.
extension StoredModels {
    /// Decides on the changes of a model that were set aside.
    ///
    /// - Parameter decision: adds the deliveries to the commit, which are those of the changes in their order.
    /// - Returns: how many changes there are.
    func decide(
        onDeadOf id: Model.ID, _ decision: @escaping @Sendable (inout Commit, [DeliveryID]) -> Void
    ) async throws(StoreError) -> Int {
        guard let journal else { return 0 }
        return try await queue.turn { [self] () -> Result<Int, StoreError> in
            do throws(StoreError) {
                try await restoreWaiting()
                // Another process may have set one aside since.
                try await readNew(in: journal)
                let key = kind.text(try await current(id))
                let entries = pending.read { $0.entries(in: [.dead]) }.filter { pending.change($0)?.key.id == key }
                guard !entries.isEmpty else { return .success(0) }
                var commit = Commit()
                decision(&commit, entries.map { DeliveryID($0, to: route.destination) })
                try await journal.store.commit(commit)
                for entry in entries { try await compare(entry, in: journal) }
                return .success(entries.count)
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
