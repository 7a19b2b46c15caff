#if SQLite
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Shares one background assertion among the writers of a file.
///
/// It is held from the first writer's entry until the last one leaves.
final class WriteGate: Sendable {
    private typealias BeginResult = Result<WriteAssertion, StoreError>

    private enum State {
        case idle
        /// The promise is for the writers that come before the system has answered.
        case beginning(Promise<BeginResult>, waiting: Int)
        case held(WriteAssertion, count: Int, end: @Sendable () -> Void)
    }

    private let assertion: any BackgroundAssertion
    // Invariants: `count` is the number of writers inside, so it is above 0. The promise is
    // fulfilled once, when its state ends. `end` is called once, by the writer that leaves last.
    private let state = Mutex(State.idle)

    init(_ assertion: any BackgroundAssertion) { self.assertion = assertion }

    /// Enters the gate. Call ``leave()`` once after it, unless it throws.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` while the system gives no time.
    func enter() async throws(StoreError) -> WriteAssertion {
        switch join() {
        case .begins: return try await begin()
        case .waits(let promise): return try await promise.wait().get()
        case .answered(let answer): return try answer.get()
        }
    }

    private enum Entry {
        /// The caller is the first, and asks the system.
        case begins
        case waits(Promise<BeginResult>)
        case answered(BeginResult)
    }

    private func join() -> Entry {
        // The first writer makes the promise in the step in which it becomes the first. A second
        // one that comes at once finds it and waits.
        state.withLock { state in
            switch state {
            case .idle:
                state = .beginning(Promise(), waiting: 0)
                return .begins
            case .beginning(let promise, let waiting):
                state = .beginning(promise, waiting: waiting + 1)
                return .waits(promise)
            case .held(let hold, let count, let end):
                // After an expiry no writer may enter until all have left and the next one asks the
                // system again.
                if hold.isExpired { return .answered(.failure(WriteAssertion.expired(nil))) }
                state = .held(hold, count: count + 1, end: end)
                return .answered(.success(hold))
            }
        }
    }

    /// Enters the gate for a release of locks, which must happen in any case.
    ///
    /// - Returns: whether to call ``leave()``.
    func enterIfGranted() async -> Bool {
        do throws(StoreError) {
            _ = try await enter()
            return true
        } catch {
            return false
        }
    }

    private func begin() async throws(StoreError) -> WriteAssertion {
        let hold = WriteAssertion()
        do throws(StoreError) {
            // The system may call `expire` before `begin` returns. The writers then enter with an
            // assertion that refuses to run.
            let end = try await assertion.begin { hold.expire() }
            tell(.success(hold)) { .held(hold, count: 1 + $0, end: end) }
            return hold
        } catch {
            tell(.failure(error)) { _ in .idle }
            throw error
        }
    }

    private func tell(_ answer: BeginResult, _ next: @Sendable (_ waiting: Int) -> State) {
        let promise = state.withLock { state -> Promise<BeginResult>? in
            guard case .beginning(let promise, let waiting) = state else { return nil }
            // Waiting writers are counted before they are resumed. Otherwise the first to leave
            // would end the assertion.
            state = next(waiting)
            return promise
        }
        // Outside the lock: a resumed writer may call `leave`, which takes it.
        promise?.fulfil(answer)
    }

    /// Throws if the time has run out.
    ///
    /// Call it in the middle of a long write: the expiry interrupts a statement, and nothing
    /// between two statements.
    func check() throws(StoreError) {
        if isExpired { throw WriteAssertion.expired(nil) }
    }

    /// Whether writers are inside, and their time has run out.
    var isExpired: Bool {
        state.withLock { state in
            switch state {
            case .held(let hold, _, _): hold.isExpired
            case .idle, .beginning: false
            }
        }
    }

    func leave() {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .held(let hold, let count, let end) = state else { return nil }
            state = count > 1 ? .held(hold, count: count - 1, end: end) : .idle
            return count > 1 ? nil : end
        }
        // Outside the lock: `end` is the app's code and may take time. A writer that comes
        // meanwhile asks for a new assertion.
        end?()
    }
}
#endif
