/// A change as a remote source is asked to make it.
public enum RemoteChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    case add(Model)
    /// - Parameter validator: of what was known at the call, or came of the changes before it; nil where none is known. The source
    ///   makes it only where it still has that (`If-Match`, RFC 9110 §13.1.1), and answers 412 otherwise.
    case edit(Model, validator: String?)
    case delete(Model.ID, validator: String?)
}

extension RemoteSource {
    /// Makes a change, and answers with what the source has then; neither value nor error where it took the change and does not say.
    ///
    /// A change that waits in an outbox may be sent several times, always under the same key, which goes to the receiver; nil for one that
    /// is sent once.
    public typealias Write = @Sendable (RemoteChange<Model>, IdempotencyKey?) async -> Snapshot<Model>

    /// The same source, which can also be written to.
    public func writing(_ write: @escaping Write) -> RemoteSource {
        var copy = self
        copy.write = write
        return copy
    }
}
