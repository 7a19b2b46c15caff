/// Ends what a completion-style call began. Letting go of it does not cancel.
public struct Cancellation: Sendable {
    public let cancel: @Sendable () -> Void

    public init(_ cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }
}
