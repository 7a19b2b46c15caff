/// A change that a remote source makes.
public enum RemoteChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// Adds a model.
    case add(Model)
    /// Edits a model.
    ///
    /// - Parameters:
    ///   - base: the model on which the edit was made; nil if it is unknown. A source that sends
    ///     the difference (PATCH) needs it.
    ///   - validator: the entity tag of the base; nil if it is unknown. The source makes the edit
    ///     only if it still has the model with this tag. Otherwise it answers 412 (`If-Match`, RFC
    ///     9110 §13.1.1).
    case edit(Model, of: Model?, validator: String?)
    /// Deletes a model.
    ///
    /// - Parameter validator: the entity tag, as for an edit.
    case delete(Model.ID, validator: String?)
}

extension RemoteSource {
    /// Makes a change and returns the new state of the model at the source.
    ///
    /// If the source accepted the change without returning a state, the snapshot has neither value
    /// nor error. A change that waits in an outbox may be sent several times, always with the same
    /// key. The key goes to the receiver. It is nil for a change that is sent once.
    public typealias Write = @Sendable (RemoteChange<Model>, IdempotencyKey?) async -> Snapshot<Model>

    /// Returns a copy of this source that can also make changes.
    public func writing(_ write: @escaping Write) -> RemoteSource {
        writing(write, comparingWith: nil)
    }

    /// Returns a copy of this source whose changes go to another service than reads.
    ///
    /// - Parameter get: reads a model from the service that the changes go to; nil if all reads do.
    package func writing(_ write: @escaping Write, comparingWith get: Get?) -> RemoteSource {
        var copy = self
        (copy.write, copy.getToCompare) = (write, get)
        return copy
    }
}
