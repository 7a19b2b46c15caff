internal import Synchronization
internal import WharfCore

/// Deduplicates refreshes: requests that were refused with one credential share one refresh.
///
/// That holds whenever their answers arrive.
final class CredentialRefresh: Sendable {
    /// The result of a refresh. After a ``CredentialRejection`` the 401 is returned.
    typealias Outcome = Result<Credential, any Error>

    /// The refresh that this task runs in; nil outside of one. A request from inside a refresh must
    /// not wait for it: that would be a deadlock.
    @TaskLocal private static var current: ObjectIdentifier?

    /// The refusals that share one refresh: those of one credential. A request without a credential
    /// gets a refresh of its own, because a challenge may need an unused answer (RFC 7616 §3.4).
    private enum Refused: Hashable {
        case credential(Credential)
        case request(UInt64)
    }

    private struct State {
        // Invariants: a key of `running` has exactly one refresh. `ended` grows by one for each, in
        // the step that removes it from `running`.
        var requests: UInt64 = 0
        /// The number of refreshes that ended. A request that was sent before one ended takes its
        /// outcome; a later request may start a new one.
        var ended: UInt64 = 0
        var running: [Refused: Task<Outcome, Never>] = [:]
        /// The last refresh that gave no newer credential.
        var fruitless: (refused: Refused, number: UInt64, outcome: Outcome)?

        func known(_ refused: Refused, _ sentAfter: UInt64) -> Outcome? {
            guard let last = fruitless, last.refused == refused, last.number > sentAfter else { return nil }
            return last.outcome
        }
    }

    private let provider: any CredentialsProvider
    private let waiters = SingleFlight<Refused, Outcome>()
    private let state = Mutex(State())

    init(_ provider: any CredentialsProvider) { self.provider = provider }

    /// The number of ended refreshes, which a request notes before it is sent.
    var ended: UInt64 { state.withLock { $0.ended } }

    /// Whether the current task is part of this refresh.
    var isOfThisTask: Bool { Self.current == ObjectIdentifier(self) }

    /// Returns the outcome of a refresh: a known one, a running one or a new one.
    ///
    /// - Parameters:
    ///   - refusal: the refused request and its response.
    ///   - sentAfter: the value of ``ended`` when the request was sent.
    func replacement(after refusal: CredentialRefusal, sentAfter: UInt64) async throws(CancellationError) -> Outcome {
        let refused = refused(refusal)
        // A request that was sent before the refresh ended takes its outcome. Without this each
        // late 401 would start another fruitless refresh.
        if let known = state.withLock({ $0.known(refused, sentAfter) }) { return known }
        // Waiters share a flight, so one of them can leave on cancellation. The refresh goes on in
        // its own task.
        return try await waiters.run(refused) { [self] in await task(refused, refusal, sentAfter).value }
    }

    private func refused(_ refusal: CredentialRefusal) -> Refused {
        if let credential = refusal.credential { return .credential(credential) }
        return state.withLock { state in
            state.requests += 1
            return .request(state.requests)
        }
    }

    /// Starts or joins a refresh in a detached task. When the last waiter leaves, the flight is
    /// cancelled, but the refresh must go on: it may have used up its refresh token.
    private func task(_ refused: Refused, _ refusal: CredentialRefusal, _ sentAfter: UInt64) -> Task<Outcome, Never> {
        state.withLock { state in
            // Start and join are one step under the lock: two requests must not refresh with one
            // refresh token.
            if let task = state.running[refused] { return task }
            // The refresh that ran at the first look, and its flight, may have ended in between.
            if let known = state.known(refused, sentAfter) { return Task { known } }
            // Detached: the caller's cancellation and task-locals must not reach the provider.
            let task = Task.detached { [self] in
                let outcome = await Self.$current.withValue(ObjectIdentifier(self)) { await refresh(after: refusal) }
                end(refused, outcome)
                return outcome
            }
            state.running[refused] = task
            return task
        }
    }

    private func refresh(after refusal: CredentialRefusal) async -> Outcome {
        do {
            // The refresh of another request may have ended before this request's response arrived.
            // A refresh now could make the newer credential invalid.
            if let current = try await provider.credential(), current != refusal.credential { return .success(current) }
            let renewed = try await provider.refresh(after: refusal)
            guard renewed != refusal.credential else {
                // Sending the refused credential again would give the same 401.
                throw CredentialRejection(message: "the refresh returned the credential that was refused")
            }
            return .success(renewed)
        } catch {
            return .failure(error)
        }
    }

    private func end(_ refused: Refused, _ outcome: Outcome) {
        state.withLock { state in
            state.running[refused] = nil
            // Both in one step: a request that looks between them would find neither the running
            // refresh nor its outcome.
            state.ended += 1
            // A success needs no memory: `provider.credential()` returns the new credential.
            if case .success = outcome { return }
            state.fruitless = (refused, state.ended, outcome)
        }
    }
}
