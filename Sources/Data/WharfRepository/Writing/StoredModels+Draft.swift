internal import WharfCore

extension StoredModels {
    /// A change before it is sent.
    struct Draft: Sendable {
        let id: Model.ID
        let key: EntityKey
        /// nil for a deletion, as are its bytes.
        let model: Model?
        let bytes: [UInt8]?
        let isAddition: Bool

        /// - Parameter base: the model on which the change was made; nil if it is not known.
        func change(of base: Model?, _ validator: String?) -> RemoteChange<Model> {
            guard let model else { return .delete(id, validator: validator) }
            return isAddition ? .add(model) : .edit(model, of: base, validator: validator)
        }

        /// The same model as an addition, for a service that no longer has it.
        var asAddition: Draft { Draft(id: id, key: key, model: model, bytes: bytes, isAddition: true) }
    }

    /// A change that a caller asks for.
    enum ChangeRequest: Sendable {
        case draft(Draft)
        /// An edit of the model as it is when the turn of the edit comes.
        case edit(Model.ID, @Sendable (inout Model) -> Void)
        /// An edit of the model as it was shown.
        case revision(Draft, of: Draft)
    }

    /// Returns the model's key as the caller knows it.
    func key(_ requested: ChangeRequest) -> EntityKey {
        switch requested {
        case .draft(let draft), .revision(let draft, _): draft.key
        case .edit(let id, _): kind.key(id, of: account)
        }
    }

    func draft(_ model: Model, isAddition: Bool) throws(WriteFailure) -> Draft {
        do {
            return Draft(
                id: model.id, key: kind.key(model.id, of: account), model: model, bytes: try kind.codec.encode(model),
                isAddition: isAddition)
        } catch {
            throw WriteFailure(
                .unencodable,
                message: "the codec of \(kind.name) could not encode the model: \(error); nothing was sent",
                cause: error)
        }
    }

    func draft(deleting id: Model.ID) -> Draft {
        Draft(id: id, key: kind.key(id, of: account), model: nil, bytes: nil, isAddition: false)
    }
}
