#if SQLite
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Shares one background assertion among the writers of a file.
///
/// It is held from the first writer's entry until the last one leaves.
final class WriteGate: Sendable {
    private typealias Answer = Result<WriteAssertion, StoreError>

    private enum State {
        case idle
        /// The promise is for the writers that come before the system has answered.
        case beginning(Promise<Answer>, waiting: Int)
        case held(WriteAssertion, count: Int, end: @Sendable () -> Void)
    }

    private let assertion: any BackgroundAssertion
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
        case waits(Promise<Answer>)
        case answered(Answer)
    }

    private func join() -> Entry {
        state.withLock { state in
            switch state {
            case .idle:
                state = .beginning(Promise(), waiting: 0)
                return .begins
            case .beginning(let promise, let waiting):
                state = .beginning(promise, waiting: waiting + 1)
                return .waits(promise)
            case .held(let hold, let count, let end):
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
            let end = try await assertion.begin { hold.expire() }
            tell(.success(hold)) { .held(hold, count: 1 + $0, end: end) }
            return hold
        } catch {
            tell(.failure(error)) { _ in .idle }
            throw error
        }
    }

    private func tell(_ answer: Answer, _ next: @Sendable (_ waiting: Int) -> State) {
        let promise = state.withLock { state -> Promise<Answer>? in
            guard case .beginning(let promise, let waiting) = state else { return nil }
            // Waiting writers are counted before they are resumed. Otherwise the first to leave
            // would end the assertion.
            state = next(waiting)
            return promise
        }
        promise?.fulfil(answer)
    }

    /// Throws if the time has run out.
    ///
    /// Call it in the middle of a long write: the expiry interrupts a statement, and nothing
    /// between two statements.
    func check() throws(StoreError) {
        let isExpired = state.withLock { if case .held(let hold, _, _) = $0 { hold.isExpired } else { false } }
        if isExpired { throw WriteAssertion.expired(nil) }
    }

    func leave() {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .held(let hold, let count, let end) = state else { return nil }
            state = count > 1 ? .held(hold, count: count - 1, end: end) : .idle
            return count > 1 ? nil : end
        }
        end?()
    }
}
#endif
