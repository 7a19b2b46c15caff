public import WharfCore

// Straight to the service: each call returns when the service has decided, and throws when nobody knows.
extension StoredRepository: Repository {
    /// Lists are asked for anew when it is delivered, because any of them may have it.
    public func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        let outcome = try await write(try stored.draft(model, isAddition: true), mode)
        if case .delivered = outcome {
            do throws(StoreError) {
                try await invalidateLists()
            } catch {
                _ = stored.failed(error, "make the lists of \(stored.kind.name) stale")
            }
        }
        return WriteReceipt { outcome }
    }

    public func edit(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        let outcome = try await write(try stored.draft(model, isAddition: false), mode)
        return WriteReceipt { outcome }
    }

    public func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        let outcome = try await write(stored.draft(deleting: id), mode)
        return WriteReceipt { outcome }
    }

    private func write(
        _ draft: StoredModels<Model>.Draft, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteOutcome<Model> {
        guard !models.isClosed else { throw .closed }
        return try await stored.write(draft, mode)
    }
}
