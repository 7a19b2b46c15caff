/// Callers on one actor, for tests of what happens when several of them are inside the same call.
///
/// An async function of Wharf runs on its caller's actor, so once ``inside(_:)`` returns, each caller has gone as far into its
/// call as it gets without waiting for something.
package actor Crowd {
    private var entered = 0
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    package func call<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        entered += 1
        let satisfied = watchers.filter { $0.count <= entered }
        watchers.removeAll { $0.count <= entered }
        for watcher in satisfied { watcher.continuation.resume() }
        return await body()
    }

    /// Returns when `count` callers in all have come as far as they get.
    package func inside(_ count: Int) async {
        guard entered < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }
}
