internal import Synchronization
internal import WharfCore

/// Calls back when the server accepts another credential than the one it refused.
///
/// That happens after a sign-in, for example.
final class CredentialAcceptance: Sendable {
    /// The credential that a 401 or 407 refused, or the absence of one.
    private enum Refused: Equatable {
        case credential(Credential)
        case nothing

        init(_ credential: Credential?) { self = credential.map { .credential($0) } ?? .nothing }
    }

    // Nil until a refusal. The refused credential stays here until another one is refused or
    // accepted.
    private let refused = Mutex<Refused?>(nil)
    private let onAcceptance: @Sendable () -> Void

    init(_ onAcceptance: @escaping @Sendable () -> Void) { self.onAcceptance = onAcceptance }

    /// - Parameter credential: the credential that was sent; nil for none.
    func note(_ answer: TransportResponse, to credential: Credential?) {
        // A stored response does not show the server's current state, and a response of another
        // origin does not concern this server.
        guard answer.provenance.source == .network, !answer.leftCredentialsBehind else { return }
        let shown = Refused(credential)
        switch answer.head.status.code {
        case 401, 407: refused.withLock { $0 = shown }
        // The server may send these before it checks a credential.
        case 408, 425, 429, 500...: break
        default:
            // A server may refuse a credential on one path and accept it on others.
            // Read and reset in one step, so that two answers call back once.
            let isOther = refused.withLock { refused in
                guard let before = refused, before != shown else { return false }
                refused = nil
                return true
            }
            // After the lock, because the callback may send a request.
            if isOther { onAcceptance() }
        }
    }
}
