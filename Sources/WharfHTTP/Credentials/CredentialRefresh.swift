internal import Synchronization
internal import WharfCore

/// One refresh for all requests that were refused with the same credential, whenever their answers
/// come.
final class CredentialRefresh: Sendable {
    /// What a refresh came to. With a ``CredentialRejection`` the refusal stands.
    typealias Outcome = Result<Credential, any Error>

    /// The refresh that this task takes part in, if it does: a request from inside of it can't wait
    /// for it.
    @TaskLocal private static var current: ObjectIdentifier?

    /// Refusals that one refresh answers: those of one credential. Without one each request gets an
    /// answer of its own, as a challenge may want none that was shown before (RFC 7616 §3.4).
    private enum Refused: Hashable {
        case credential(Credential)
        case request(UInt64)
    }

    private struct State {
        var requests: UInt64 = 0
        /// Refreshes that ended. A request that was sent before one ended takes its outcome; a
        /// later one may ask anew.
        var ended: UInt64 = 0
        var running: [Refused: Task<Outcome, Never>] = [:]
        /// The last one that gave nothing newer.
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

    /// What a request notes when it is sent.
    var ended: UInt64 { state.withLock { $0.ended } }

    var isOfThisTask: Bool { Self.current == ObjectIdentifier(self) }

    /// - Parameters:
    ///   - refusal: what the request showed, and what came of it.
    ///   - sentAfter: what ``ended`` was when it was sent.
    func replacement(after refusal: CredentialRefusal, sentAfter: UInt64) async throws(CancellationError) -> Outcome {
        let refused = refused(refusal)
        if let known = state.withLock({ $0.known(refused, sentAfter) }) { return known }
        return try await waiters.run(refused) { [self] in await task(refused, refusal, sentAfter).value }
    }

    private func refused(_ refusal: CredentialRefusal) -> Refused {
        if let credential = refusal.credential { return .credential(credential) }
        return state.withLock { state in
            state.requests += 1
            return .request(state.requests)
        }
    }

    /// A task of its own: when the last waiter leaves, the flight is cancelled, and this is not.
    private func task(_ refused: Refused, _ refusal: CredentialRefusal, _ sentAfter: UInt64) -> Task<Outcome, Never> {
        state.withLock { state in
            if let task = state.running[refused] { return task }
            // The one that was running at the first look may have ended since, and its flight with
            // it.
            if let known = state.known(refused, sentAfter) { return Task { known } }
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
            // Another request's refresh may have been over before this one's answer came.
            if let current = try await provider.credential(), current != refusal.credential { return .success(current) }
            let renewed = try await provider.refresh(after: refusal)
            guard renewed != refusal.credential else {
                throw CredentialRejection(message: "expected another credential, found the one that was refused")
            }
            return .success(renewed)
        } catch {
            return .failure(error)
        }
    }

    private func end(_ refused: Refused, _ outcome: Outcome) {
        state.withLock { state in
            state.running[refused] = nil
            state.ended += 1
            if case .success = outcome { return }
            state.fruitless = (refused, state.ended, outcome)
        }
    }
}
