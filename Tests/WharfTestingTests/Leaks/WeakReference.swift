import Synchronization

/// Says whether an object is there without holding it.
///
/// `@unchecked Sendable`: nothing but the reference is read, and one test at a time acts on the
/// object.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?
    init(_ object: Object? = nil) { self.object = object }
    func refer(to object: Object) { self.object = object }
}

/// What a test would have failed with.
final class Failures: Sendable {
    private let list = Mutex<[String]>([])
    var messages: [String] { list.withLock { $0 } }
    func add(_ message: String) { list.withLock { $0.append(message) } }
}

/// Its time passes while one waits, at once.
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
