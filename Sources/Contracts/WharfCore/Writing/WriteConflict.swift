/// A conflict: the base of a change, its result, and the model of another client.
public struct WriteConflict<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The id of the model.
    public let id: Model.ID
    /// The model before both changes; nil if it is unknown.
    public let base: Model?
    /// The model after the change; nil for a deletion.
    public let mine: Model?
    /// The service's model; nil if it was deleted or the service did not return it.
    public let theirs: Model?
    /// The entity tag of `theirs`, if the store has it.
    package var validator: String?
    /// The id of the dead letter; nil if the change is not a dead letter yet.
    package var letter: DeliveryID?
    /// The idempotency key of the change's delivery.
    package var key: IdempotencyKey?

    package init(id: Model.ID, base: Model?, mine: Model?, theirs: Model?) {
        self.id = id
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}

extension WriteConflict: Equatable where Model: Equatable {}
