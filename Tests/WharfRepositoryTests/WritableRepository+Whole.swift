import WharfCore

extension WritableRepository {
    /// Puts a whole model in the place of what the repository has at the call.
    @discardableResult
    func edit(
        _ model: Model, _ mode: WriteMode = .confirmed
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(model.id, mode) { $0 = model }
    }
}
