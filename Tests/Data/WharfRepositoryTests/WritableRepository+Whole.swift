import WharfCore

extension WritableRepository {
    /// Replaces the repository's current model with a whole model.
    @discardableResult
    func edit(
        _ model: Model, _ mode: WriteMode = .confirmed
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(model.id, mode) { $0 = model }
    }
}
