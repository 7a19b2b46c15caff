import Dispatch
import Foundation
import Synchronization
import WharfDependencies

/// Runs operations on separate threads, where they may block, and returns their results.
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

/// A live value that is complete only after another thread has read another key.
enum Waiting: LiveDependencyKey {
    static let isMaking = DispatchSemaphore(value: 0)
    static let hasRead = DispatchSemaphore(value: 0)

    static var unimplemented: String { "" }
    static var live: String {
        isMaking.signal()
        // There is no time limit: if making a value held a lock, this would deadlock.
        hasRead.wait()
        return "met"
    }
}

/// A live value that is complete once a second thread makes it too, or after a while.
enum Raced: LiveDependencyKey {
    private static let makings = Atomic(0)
    private static let secondIsHere = DispatchSemaphore(value: 0)

    static var unimplemented: Int { 0 }
    static var live: Int {
        let making = makings.add(1, ordering: .sequentiallyConsistent).newValue
        if making > 1 {
            secondIsHere.signal()
        } else {
            // With a correct implementation no second thread comes here, however long this waits.
            _ = secondIsHere.wait(timeout: .now() + .milliseconds(300))
        }
        return making
    }
}

/// Two live values that depend on each other, and that two threads make at once.
enum Yin: LiveDependencyKey {
    static var unimplemented: String { "no yin" }
    static var live: String {
        Crossroads.both.meet()
        return "yin of \(Dependencies.current[Yang.self])"
    }
}

enum Yang: LiveDependencyKey {
    static var unimplemented: String { "no yang" }
    static var live: String {
        Crossroads.both.meet()
        return "yang of \(Dependencies.current[Yin.self])"
    }
}

private struct Crossroads: Sendable {
    static let both = Crossroads()

    private final class Count: Sendable {
        let arrivals = Atomic(0)
    }

    private let count = Count()
    private let secondIsHere = DispatchSemaphore(value: 0)

    func meet() {
        switch count.arrivals.add(1, ordering: .sequentiallyConsistent).newValue {
        case 1: secondIsHere.wait()
        case 2: secondIsHere.signal()
        default: break
        }
    }
}

/// A live value that, while it is made, starts a task that reads it.
enum SelfReading: LiveDependencyKey {
    static let readings = Mutex<Task<String, Never>?>(nil)

    static var unimplemented: String { "unimplemented" }
    static var live: String {
        let hasBegun = DispatchSemaphore(value: 0)
        let reading = Task {
            hasBegun.signal()
            return Dependencies.current[SelfReading.self]
        }
        readings.withLock { $0 = reading }
        hasBegun.wait()
        // The task reads while this value is made.
        Thread.sleep(forTimeInterval: 0.1)
        return "live"
    }
}
