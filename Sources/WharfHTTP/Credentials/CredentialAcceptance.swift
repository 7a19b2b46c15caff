internal import Synchronization
internal import WharfCore

/// Tells when a server takes another credential than the one that it has refused, as after a
/// sign-in.
final class CredentialAcceptance: Sendable {
    /// The credential that a 401 refused, or none.
    private enum Refused: Equatable {
        case credential(Credential)
        case nothing

        init(_ credential: Credential?) { self = credential.map { .credential($0) } ?? .nothing }
    }

    private let refused = Mutex<Refused?>(nil)
    private let onAcceptance: @Sendable () -> Void

    init(_ onAcceptance: @escaping @Sendable () -> Void) { self.onAcceptance = onAcceptance }

    /// - Parameter credential: what was shown for the answer; nil for none.
    func note(_ answer: TransportResponse, to credential: Credential?) {
        // A kept answer says nothing of now, and another origin nothing of this one.
        guard answer.provenance.source == .network, !answer.leftCredentialsBehind else { return }
        let shown = Refused(credential)
        switch answer.head.status.code {
        case 401, 407: refused.withLock { $0 = shown }
        // The server may say so before it looks at a credential.
        case 408, 425, 429, 500...: break
        default:
            // The same credential may be refused on one path and taken on others.
            let isOther = refused.withLock { refused in
                guard let before = refused, before != shown else { return false }
                refused = nil
                return true
            }
            if isOther { onAcceptance() }
        }
    }
}
