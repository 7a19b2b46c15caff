internal import Synchronization
internal import WharfCore

/// One refresh for all requests that were refused with the same credential, whenever their answers come.
final class CredentialRefresh: Sendable {
    /// What a refresh came to. With a ``CredentialRejection`` the refusal stands.
    typealias Outcome = Result<Credential, any Error>

    /// The refresh that this task takes part in, if it does: a request from inside of it can't wait for it.
    @TaskLocal private static var current: ObjectIdentifier?

    private struct State {
        /// Refreshes that ended. A request that was sent before one ended takes its outcome; a later one may ask anew.
        var ended: UInt64 = 0
        var running: [Credential: Task<Outcome, Never>] = [:]
        /// The last one that gave nothing newer.
        var fruitless: (rejected: Credential, number: UInt64, outcome: Outcome)?
    }

    private let provider: any CredentialsProvider
    private let waiters = SingleFlight<Credential, Outcome>()
    private let state = Mutex(State())

    init(_ provider: any CredentialsProvider) { self.provider = provider }

    /// What a request notes when it is sent.
    var ended: UInt64 { state.withLock { $0.ended } }

    var isOfThisTask: Bool { Self.current == ObjectIdentifier(self) }

    /// - Parameters:
    ///   - rejected: what the request showed.
    ///   - sentAfter: what ``ended`` was when it was sent.
    func replacement(for rejected: Credential, sentAfter: UInt64) async throws(CancellationError) -> Outcome {
        let known = state.withLock { state -> Outcome? in
            guard let last = state.fruitless, last.rejected == rejected, last.number > sentAfter else { return nil }
            return last.outcome
        }
        if let known { return known }
        return try await waiters.run(rejected) { [self] in await task(for: rejected).value }
    }

    /// A task of its own: when the last waiter leaves, the flight is cancelled, and this is not.
    private func task(for rejected: Credential) -> Task<Outcome, Never> {
        state.withLock { state in
            if let task = state.running[rejected] { return task }
            let task = Task.detached { [self] in
                let outcome = await Self.$current.withValue(ObjectIdentifier(self)) { await refresh(rejected) }
                end(rejected, outcome)
                return outcome
            }
            state.running[rejected] = task
            return task
        }
    }

    private func refresh(_ rejected: Credential) async -> Outcome {
        do {
            // Another request's refresh may have been over before this one's answer came.
            if let current = try await provider.credential(), current != rejected { return .success(current) }
            let renewed = try await provider.refresh(rejected)
            guard renewed != rejected else {
                throw CredentialRejection(message: "expected another credential, found the one that was refused")
            }
            return .success(renewed)
        } catch {
            return .failure(error)
        }
    }

    private func end(_ rejected: Credential, _ outcome: Outcome) {
        state.withLock { state in
            state.running[rejected] = nil
            state.ended += 1
            if case .success = outcome { return }
            state.fruitless = (rejected, state.ended, outcome)
        }
    }
}
