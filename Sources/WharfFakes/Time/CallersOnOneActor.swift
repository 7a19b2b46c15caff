internal import WharfPrimitives

/// Callers on one actor, for tests of what happens when several of them are inside the same call.
///
/// An async function of Wharf runs on its caller's actor, so once ``inside(_:)`` returns, each
/// caller has gone as far into its call as it gets without waiting for something.
package actor CallersOnOneActor {
    private let entered = Monitor(0)

    package init() {}

    package func call<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        entered.withLock { entered, _ in entered += 1 }
        return await body()
    }

    /// Returns when `count` callers in all have come as far as they get.
    package func inside(_ count: Int) async { await entered.wait { $0 >= count } }
}
