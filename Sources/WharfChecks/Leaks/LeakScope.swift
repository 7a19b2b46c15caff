internal import Synchronization

/// The objects that one test has registered, and the check at its end.
final class LeakScope: Sendable {
    private struct State {
        var tracked: [TrackedObject] = []
        var isClosed = false
    }

    /// That of the test which runs.
    @TaskLocal static var current: LeakScope?

    private let state = Mutex(State())

    /// Runs a test and then checks what it has registered, whether it threw or not.
    static func run(_ grace: GracePeriod, _ body: @concurrent @Sendable () async throws -> Void) async throws {
        let scope = LeakScope()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await $current.withValue(scope) { try await body() })
        } catch {
            outcome = .failure(error)
        }
        await scope.check(grace, after: "the test")
        try outcome.get()
    }

    /// - Returns: false when the check is done, so that nobody would look at the object.
    func track(_ object: TrackedObject) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.tracked.append(object)
            return true
        }
    }

    /// A function of its own, so that no variable of its caller holds the object.
    ///
    /// - Returns: false when there is no object, after a failure that says so.
    func track(_ object: AnyObject?, isolation: (any Actor)?, fail: @escaping @Sendable (String) -> Void) -> Bool {
        guard let object else {
            fail(
                "expected an object that is to be released, but found nil: there is nothing to check. Make it before this call"
            )
            return false
        }
        return track(TrackedObject(object, isolation: isolation, fail: fail))
    }

    /// Fails for each object that outlives the period.
    ///
    /// - Parameter occasion: after what they should be gone, for the message.
    func check(_ grace: GracePeriod, after occasion: String) async {
        _ = await grace.passes { [self] in !tracked.contains { $0.isAlive } }
        let leaked = close().filter(\.isAlive)
        guard !leaked.isEmpty else { return }
        for leak in await Leak.explained(leaked) {
            leak.object.fail(leak.message(after: occasion, grace: grace.duration))
        }
    }

    /// - Returns: whether all objects are gone, and with that the check is done.
    func endIfReleased() -> Bool {
        guard !tracked.contains(where: \.isAlive) else { return false }
        _ = close()
        return true
    }

    /// Looked at outside of the lock: who reads a weak reference may be the last to let go, and
    /// then runs the object's `deinit`.
    private var tracked: [TrackedObject] { state.withLock { $0.tracked } }

    private func close() -> [TrackedObject] {
        state.withLock { state in
            state.isClosed = true
            defer { state.tracked = [] }
            return state.tracked
        }
    }
}
