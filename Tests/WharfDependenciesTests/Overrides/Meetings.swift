import Dispatch
import Foundation
import Synchronization
import WharfDependencies

/// Runs operations on threads of their own, where they may block, and gives what they return.
func onThreads<Value: Sendable>(_ operations: [@Sendable () -> Value]) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for operation in operations {
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: operation()) }
                }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

/// Its making ends when another thread has read another key.
enum Waiting: LiveDependencyKey {
    static let isMaking = DispatchSemaphore(value: 0)
    static let hasRead = DispatchSemaphore(value: 0)

    static var unimplemented: String { "" }
    static var live: String {
        isMaking.signal()
        // Without a limit: where a making holds a lock, this is a deadlock.
        hasRead.wait()
        return "met"
    }
}

/// Its making ends when two are at it. Each makes another value.
enum Raced: LiveDependencyKey {
    private static let makers = Atomic(0)
    private static let bothAreHere = DispatchSemaphore(value: 0)

    static var unimplemented: Int { 0 }
    static var live: Int {
        let maker = makers.add(1, ordering: .sequentiallyConsistent).newValue
        if maker == 2 {
            bothAreHere.signal()
        } else {
            bothAreHere.wait()
        }
        return maker
    }
}
