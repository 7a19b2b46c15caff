internal import Synchronization
internal import WharfCore

/// Tells when a server takes a credential that had refused one before, as after a sign-in.
final class CredentialAcceptance: Sendable {
    private let isRefused = Mutex(false)
    private let onAcceptance: @Sendable () -> Void

    init(_ onAcceptance: @escaping @Sendable () -> Void) { self.onAcceptance = onAcceptance }

    /// - Parameter credential: what was shown for the answer; nil for none, which tells nothing.
    func note(_ answer: TransportResponse, to credential: Credential?) {
        // A kept answer says nothing of now.
        guard credential != nil, answer.provenance.source == .network else { return }
        let isRefused = answer.head.status == .unauthorized
        let wasRefused = self.isRefused.withLock { state in
            defer { state = isRefused }
            return state
        }
        if wasRefused, !isRefused { onAcceptance() }
    }
}
