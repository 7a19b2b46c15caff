internal import WharfCore

/// A change before it is sent.
struct ChangeDraft<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
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

    /// The operation with which a waiting change of the draft is sent.
    var operation: WaitingChange.Operation { model == nil ? .delete : isAddition ? .add : .edit }

    /// The same model as an addition, for a service that no longer has it.
    var asAddition: Self { Self(id: id, key: key, model: model, bytes: bytes, isAddition: true) }
}

/// A change that a caller asks for.
enum ChangeRequest<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    case draft(ChangeDraft<Model>)
    /// An edit of the model as it is when the turn of the edit comes.
    case edit(Model.ID, @Sendable (inout Model) -> Void)
    /// An edit of the model as it was shown.
    case revision(ChangeDraft<Model>, of: ChangeDraft<Model>)
}

/// A change that is ready to be sent.
struct OutgoingChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let draft: ChangeDraft<Model>
    /// The bytes of the model that the change was made on.
    let base: [UInt8]?
    /// The entity tag of the base.
    let validator: String?
    /// Whether the change was merged with another client's change. Later changes of this app were
    /// made without the merge.
    var isMerged = false
}

/// The result of a change.
struct WriteDecision<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let outcome: WriteOutcome<Model>
    /// nil if the service has not made the change.
    var taken: PendingEvent<Model>.ServiceEffect?
}

/// Puts the result of a delivered change into memory, past the store.
///
/// Called if the store must not have the result or could not take it, and after each deletion. The
/// snapshot has no value if the model is gone.
typealias MemoryUpdate<Model: Identifiable & Sendable> = @Sendable (Model.ID, Snapshot<Model>) -> Void
where Model.ID: Sendable
