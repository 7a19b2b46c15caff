/// What became of a write at the service.
public enum WriteOutcome<Model: Sendable>: Sendable {
    /// The service has it. The model is what it made of it, where it said so.
    case delivered(Model?)
    /// Somebody has changed it meanwhile (409, 412). Nothing was written.
    ///
    /// - Parameter theirs: what the service has now, or why that could not be read.
    case conflict(theirs: Snapshot<Model>)
    /// The service does not take it. Nothing was written.
    case rejected(WriteFailure)
    /// Nobody here knows: an outbox was closed while the change waited there, and goes on with it
    /// when it is opened again, or another process has decided it.
    case unknown(WriteFailure)
}

extension WriteOutcome: Equatable where Model: Equatable {}

/// That a change was taken, and where to hear what became of it.
public struct WriteReceipt<Model: Sendable>: Sendable {
    private let outcome: @Sendable () async -> WriteOutcome<Model>

    /// - Parameter outcome: waits for it; called as often as somebody asks.
    public init(_ outcome: @escaping @Sendable () async -> WriteOutcome<Model>) {
        self.outcome = outcome
    }

    /// Waits until the service has decided.
    public func delivery() async -> WriteOutcome<Model> { await outcome() }
}
