public import Dispatch

extension DispatchQueue {
    /// The closure, called on this queue: for the completion of any read by a caller who lives on a
    /// queue and not on an actor.
    ///
    /// ```swift
    /// users.snapshot(id: 1, completion: queue.completion { snapshot in … })
    /// ```
    ///
    /// How often it is called and how it is cancelled stays as it was.
    public func completion<Value: Sendable>(
        _ body: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { value in self.async { body(value) } }
    }
}
