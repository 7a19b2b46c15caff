internal import WharfPrimitives

/// Callers on one actor, for tests with several of them inside the same call.
///
/// An async function of Wharf runs on its caller's actor. Once ``inside(_:)`` returns, each caller
/// has therefore run up to the first suspension of its call.
package actor CallersOnOneActor {
    private let entered = Monitor(0)

    package init() {}

    /// Calls `body` on this actor.
    package func call<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        // The count rises while this caller has the actor. A reader on the actor waits until `body`
        // suspends.
        entered.withLock { entered, _ in entered += 1 }
        return await body()
    }

    /// Waits until `count` callers in all have reached a suspension.
    package func inside(_ count: Int) async { await entered.wait { $0 >= count } }
}
