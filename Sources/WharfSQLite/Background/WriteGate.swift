#if SQLite
internal import Synchronization
internal import WharfCore

/// Where everybody passes who writes to a file. From the first who enters to the last who leaves, one assertion is held.
final class WriteGate: Sendable {
    private typealias Answer = Result<WriteHold, StoreError>

    private enum State {
        case idle
        case beginning([CheckedContinuation<Answer?, Never>])
        case held(WriteHold, count: Int, end: @Sendable () -> Void)
    }

    private let assertion: any BackgroundAssertion
    private let state = Mutex(State.idle)

    init(_ assertion: any BackgroundAssertion) { self.assertion = assertion }

    /// To be followed by one ``leave()``, when it does not throw.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` while the system gives no time.
    func enter() async throws(StoreError) -> WriteHold {
        let answer: Answer? = await withCheckedContinuation { continuation in
            if let answer = join(continuation) { continuation.resume(returning: answer) }
        }
        guard let answer else { return try await begin() }
        return try answer.get()
    }

    /// An answer at once: to begin (`.some(nil)`), to go on, or not to. Nil when the continuation is kept for later.
    private func join(_ continuation: CheckedContinuation<Answer?, Never>) -> Answer?? {
        state.withLock { state in
            switch state {
            case .idle:
                state = .beginning([])
                return .some(nil)
            case .beginning(let waiting):
                state = .beginning(waiting + [continuation])
                return nil
            case .held(let hold, let count, let end):
                if hold.isExpired { return .some(.failure(WriteHold.expired(nil))) }
                state = .held(hold, count: count + 1, end: end)
                return .some(.success(hold))
            }
        }
    }

    /// For what lets go of locks, and has to be done in any case.
    ///
    /// - Returns: whether ``leave()`` is to follow.
    func enterIfGranted() async -> Bool {
        do throws(StoreError) {
            _ = try await enter()
            return true
        } catch {
            return false
        }
    }

    private func begin() async throws(StoreError) -> WriteHold {
        let hold = WriteHold()
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
        let waiting = state.withLock { state -> [CheckedContinuation<Answer?, Never>] in
            guard case .beginning(let waiting) = state else { return [] }
            state = next(waiting.count)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }

    /// For the middle of a long write: the end of time stops a statement, not what comes between two.
    func check() throws(StoreError) {
        let isExpired = state.withLock { if case .held(let hold, _, _) = $0 { hold.isExpired } else { false } }
        if isExpired { throw WriteHold.expired(nil) }
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
