internal import Synchronization

/// The objects that one test has registered, and the check after it.
final class LeakScope: Sendable {
    private struct State {
        var tracked: [TrackedObject] = []
        var isClosed = false
    }

    /// The scope of the running test.
    @TaskLocal static var current: LeakScope?

    // Once `isClosed` is true, `tracked` stays empty. So each object is either in the list that
    // `close()` returns, or its registration failed.
    private let state = Mutex(State())

    /// Runs a test and then checks its registered objects, whether it threw or not.
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

    /// - Returns: false if the check is done, so that the object would not be checked.
    func track(_ object: TrackedObject) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.tracked.append(object)
            return true
        }
    }

    /// A separate function, so that no variable of its caller retains the object.
    ///
    /// - Returns: false if there is no object. The failure is then recorded.
    func track(_ object: AnyObject?, isolation: (any Actor)?, fail: @escaping @Sendable (String) -> Void) -> Bool {
        guard let object else {
            fail(
                "the object to track is nil, so there is nothing to check; create it before this call"
            )
            return false
        }
        return track(TrackedObject(object, isolation: isolation, fail: fail))
    }

    /// Records a failure for each object that outlives the period.
    ///
    /// - Parameter occasion: the event after which they should be released, for the message.
    func check(_ grace: GracePeriod, after occasion: String) async {
        _ = await grace.passes { [self] in !tracked.contains { $0.isAlive } }
        // An object registered after the last look is in this list as well; later ones are refused.
        let leaked = close().filter(\.isAlive)
        guard !leaked.isEmpty else { return }
        for leak in await Leak.explained(leaked) {
            leak.object.fail(leak.message(after: occasion, grace: grace.duration))
        }
    }

    /// Ends the check if all objects are released.
    ///
    /// - Returns: whether they are.
    func endIfReleased() -> Bool {
        guard !tracked.contains(where: \.isAlive) else { return false }
        _ = close()
        return true
    }

    /// The registered objects, to be read outside the lock.
    ///
    /// Reading a weak reference may make this task the last owner, which then runs the object's
    /// `deinit`.
    private var tracked: [TrackedObject] { state.withLock { $0.tracked } }

    private func close() -> [TrackedObject] {
        state.withLock { state in
            state.isClosed = true
            defer { state.tracked = [] }
            return state.tracked
        }
    }
}
