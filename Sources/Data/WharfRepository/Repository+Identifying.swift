internal import WharfCore

// Reads by the temporary id of a model that was added offline, after its service has given it
// another id.
extension Repository {
    /// Whether models get other ids from their service.
    var givesNewIDs: Bool { stored?.journal.map { $0.coding.kind.identify != nil } ?? false }

    /// Reads a model again under its service's id, if the given one has found nothing.
    ///
    /// - Parameter answer: the answer under the given id.
    func followed(_ id: Model.ID, _ policy: ReadPolicy, after answer: Snapshot<Model>) async -> Snapshot<Model> {
        guard answer.kept == nil, let current = await currentID(of: id) else { return answer }
        return await models.read(key(current), policy)
    }

    /// Observes a model, and goes over to its new id if it is gone under the given one.
    func observeFollowing(_ id: Model.ID, _ policy: ReadPolicy) -> SnapshotSequence<Model> {
        .merging((), on: models.executor) { [self] merged in
            var current: Model.ID?
            for await snapshot in models.observe(key(id), policy, of: self) {
                if snapshot.kept == nil { current = await currentID(of: id) }
                if current != nil { break }
                merged.change { _ in snapshot }
            }
            guard let current else { return }
            for await snapshot in models.observe(key(current), policy, of: self) { merged.change { _ in snapshot } }
        }
    }

    /// Returns the id that the service has given a model; nil if that is the same id.
    private func currentID(of id: Model.ID) async -> Model.ID? {
        guard givesNewIDs, let journal = stored?.journal else { return nil }
        do throws(StoreError) {
            // In a turn: outside of one, an addition that is just being delivered may be found
            // under neither id.
            return try await journal.queue.turn { [text] () throws(StoreError) in
                try await journal.restore()
                // The id was used again, for a model that the service does not have.
                if journal.pending.read({ $0.isAdded(text(id)) }) { return nil }
                let current = try await journal.current(id)
                return text(current) == text(id) ? nil : current
            }
        } catch {
            _ = journal.coding.failed(error, "look up the id of \(journal.coding.kind.name) \(text(id)) at its service")
            return nil
        }
    }
}
