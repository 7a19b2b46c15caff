/// A handle that cancels a completion-style call. Releasing it does not cancel the call.
public struct Cancellation: Sendable {
    /// Cancels the call.
    public let cancel: @Sendable () -> Void

    /// Creates a handle from the action that cancels the call.
    public init(_ cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }
}
