public import Dispatch

extension DispatchQueue {
    /// Returns a closure that calls `body` on this queue.
    ///
    /// Use it for the completion of any read if the caller works on a queue instead of an actor.
    ///
    /// ```swift
    /// users.snapshot(id: 1, completion: queue.completion { snapshot in … })
    /// ```
    ///
    /// The number of calls and the cancellation are those of the read.
    public func completion<Value: Sendable>(
        _ body: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { value in self.async { body(value) } }
    }
}
