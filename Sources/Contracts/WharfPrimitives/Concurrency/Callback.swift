/// Awaits the value that a callback API delivers.
///
/// ```swift
/// let result = await callbackValue { reply in
///     queue.async { reply(Result(catching: body)) }
/// }
/// ```
///
/// - Parameters:
///   - start: starts the operation, which must call `reply`. Only its first call counts.
///   - onCancel: asks the operation to end early if the task is cancelled. It may run before
///     `start`. The caller still waits for `reply`, so the operation must call it then too.
package func callbackValue<Value: Sendable>(
    _ start: (_ reply: @escaping @Sendable (Value) -> Void) -> Void, onCancel: @Sendable () -> Void = {}
) async -> Value {
    let promise = Promise<Value>()
    return await withTaskCancellationHandler {
        // A promise ignores a second reply, whereas a continuation that is resumed twice crashes.
        start { promise.fulfil($0) }
        // It waits even if the task is cancelled. If it returned early, the operation could still
        // use resources that the caller has released.
        return await promise.wait()
    } onCancel: {
        onCancel()
    }
}
