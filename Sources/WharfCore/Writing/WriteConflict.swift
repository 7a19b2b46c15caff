/// A change of a model that somebody else has changed meanwhile: what both were made on, and what
/// each made of it.
public struct WriteConflict<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    public let id: Model.ID
    /// nil where that is not known.
    public let base: Model?
    /// nil: it was to be deleted.
    public let mine: Model?
    /// nil: it is gone at the service, or the service did not say.
    public let theirs: Model?
    /// Of theirs, where the store has it.
    package let validator: String?
    /// Where it was set aside; nil before that.
    package let letter: DeliveryID?
    /// Under which it was sent.
    package let key: IdempotencyKey?

    package init(
        id: Model.ID, base: Model?, mine: Model?, theirs: Model?, validator: String? = nil, letter: DeliveryID? = nil,
        key: IdempotencyKey? = nil
    ) {
        self.id = id
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.validator = validator
        self.letter = letter
        self.key = key
    }
}

extension WriteConflict: Equatable where Model: Equatable {}
