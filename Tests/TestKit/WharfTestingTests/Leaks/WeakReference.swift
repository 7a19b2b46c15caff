import Synchronization

/// Tells whether an object is alive, without retaining it.
///
/// `@unchecked Sendable`: only the reference is read, and one test at a time uses the object.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?
    init(_ object: Object? = nil) { self.object = object }
    func refer(to object: Object) { self.object = object }
}

/// The failures that a test would have had.
final class Failures: Sendable {
    private let list = Mutex<[String]>([])
    var messages: [String] { list.withLock { $0 } }
    func add(_ message: String) { list.withLock { $0.append(message) } }
}

/// A clock whose time advances at once when a task sleeps.
final class HastyClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant
    private let instant = Mutex(ContinuousClock.now)
    var now: Instant { instant.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        instant.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}
