/// A change as a remote source is asked to make it.
public enum RemoteChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    case add(Model)
    /// - Parameters:
    ///   - base: the model on which the edit was made, for a source that sends the difference
    ///     (PATCH); nil if it is not known.
    ///   - validator: the entity tag of the base; nil if none is known. The source makes the edit
    ///     only if it still has the model with this tag, and answers 412 otherwise (`If-Match`, RFC
    ///     9110 §13.1.1).
    case edit(Model, of: Model?, validator: String?)
    /// - Parameter validator: as for an edit.
    case delete(Model.ID, validator: String?)
}

extension RemoteSource {
    /// Makes a change, and answers with what the source has then; neither value nor error where it
    /// took the change and does not say.
    ///
    /// A change that waits in an outbox may be sent several times, always under the same key, which
    /// goes to the receiver; nil for one that is sent once.
    public typealias Write = @Sendable (RemoteChange<Model>, IdempotencyKey?) async -> Snapshot<Model>

    /// The same source, which can also be written to.
    public func writing(_ write: @escaping Write) -> RemoteSource {
        writing(write, comparingWith: nil)
    }

    /// The same source, whose changes go to another service than some of its reads.
    ///
    /// - Parameter get: reads a model where the changes go; nil if all reads do.
    package func writing(_ write: @escaping Write, comparingWith get: Get?) -> RemoteSource {
        var copy = self
        (copy.write, copy.getToCompare) = (write, get)
        return copy
    }
}
