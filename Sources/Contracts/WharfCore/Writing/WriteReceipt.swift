/// The outcome of a write at the service.
public enum WriteOutcome<Model: Sendable>: Sendable {
    /// The service has made the change. The model is its new state, if it returned one.
    case delivered(Model?)
    /// Another client has changed the model (409, 412). Nothing was written.
    ///
    /// - Parameter theirs: the model at the service, or the reason why it could not be read.
    case conflict(theirs: Snapshot<Model>)
    /// The service does not accept the change. Nothing was written.
    case rejected(WriteFailure)
    /// The outcome is unknown to this process.
    ///
    /// The outbox was closed while the change waited in it, and goes on when it is opened again. Or
    /// another process has decided it.
    case unknown(WriteFailure)
}

extension WriteOutcome: Equatable where Model: Equatable {}

/// The receipt of an accepted change. It tells the outcome at the service.
public struct WriteReceipt<Model: Sendable>: Sendable {
    private let outcome: @Sendable () async -> WriteOutcome<Model>

    /// Creates a receipt.
    ///
    /// - Parameter outcome: waits for the outcome. It is called for each call of ``delivery()``.
    public init(_ outcome: @escaping @Sendable () async -> WriteOutcome<Model>) {
        self.outcome = outcome
    }

    /// Waits until the service has decided, and returns the outcome.
    public func delivery() async -> WriteOutcome<Model> { await outcome() }
}
