internal import WharfCore

// Reads by the temporary id of a model that was added offline, after its service has given it another id.
extension Repository {
    /// Reads a model again under the id of its service, if nothing was found under the given one.
    ///
    /// - Parameter answer: what was found under the given id.
    func followed(_ id: Model.ID, _ policy: ReadPolicy, after answer: Snapshot<Model>) async -> Snapshot<Model> {
        guard answer.kept == nil, let current = await currentID(of: id) else { return answer }
        return await models.read(key(current), policy)
    }

    /// Observes a model that is being added, and goes over to its new id when its service has given one.
    func observeAddition(_ id: Model.ID, _ policy: ReadPolicy) -> SnapshotSequence<Model> {
        .merging((), on: models.executor) { [self] told in
            var current: Model.ID?
            for await snapshot in models.observe(key(id), policy, of: self) {
                // Under the old id there is nothing any more.
                if snapshot.kept == nil { current = await currentID(of: id) }
                if current != nil { break }
                told.change { _ in snapshot }
            }
            guard let current else { return }
            for await snapshot in models.observe(key(current), policy, of: self) { told.change { _ in snapshot } }
        }
    }

    /// The id that the service has given a model; nil if that is the id.
    private func currentID(of id: Model.ID) async -> Model.ID? {
        guard let stored, stored.kind.identify != nil else { return nil }
        do throws(StoreError) {
            let current = try await stored.current(id)
            return text(current) == text(id) ? nil : current
        } catch {
            _ = stored.failed(error, "look for the id of \(stored.kind.name) \(text(id)) at its service")
            return nil
        }
    }
}
