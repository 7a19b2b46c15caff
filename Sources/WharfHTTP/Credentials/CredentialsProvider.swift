public import WharfCore

/// Holds the credential of one account, and gets a newer one when the server takes it no more.
///
/// Conform to it over the place where tokens lie (a keychain, a session store) and the call that
/// renews them. `CredentialsProviderLaws` of `WharfHTTPLaws` checks what is said here of
/// conformers.
///
/// ```swift
/// struct SignIn: CredentialsProvider {
///     let session: SessionStore
///     let service: APIClient                                // without AuthenticationMiddleware
///
///     func credential() async throws -> Credential? {
///         try await session.tokens().map { try .bearer($0.access) }
///     }
///     func refresh(_ rejected: Credential) async throws -> Credential {
///         guard let tokens = try await session.tokens() else { throw CredentialRejection(message: "nobody is signed in") }
///         do {
///             let renewed: Tokens = try await service.fetch(.post("token", json: ["refresh": tokens.refresh])).value
///             try await session.save(renewed)
///             return try .bearer(renewed.access)
///         } catch let error as ReadFailure where error.response?.status.code == 400 {     // RFC 6749 §5.2: invalid_grant
///             throw CredentialRejection(message: "the refresh token is taken no more", cause: error)
///         }
///     }
/// }
/// ```
///
/// What an error comes to:
///
/// | thrown | by `refresh` | by `credential` |
/// |---|---|---|
/// | ``CredentialRejection`` | the service's 401 is the answer, and nothing kept masks it | as any other error: there is no
/// 401 to show |
/// | any other | ``WharfCore/TransportError/Code/credentialUnavailable`` | the same |
///
/// `credentialUnavailable`, with what was thrown as its `cause`, is a failure and no answer: what
/// is kept may stand in, beside it.
///
/// Guarantees that ``AuthenticationMiddleware`` gives: `refresh` is called once for all requests
/// that were refused with the same credential, it runs to its end whoever stops waiting (a refresh
/// token may be used up by then), and outside of every caller's actor and task-locals.
public protocol CredentialsProvider: Sendable {
    /// What to show now; nil to send requests without a credential, as when nobody is signed in.
    ///
    /// Asked for each request, also for one that the cache answers while the network is gone: so it
    /// gives what is there, an expired one too, and does not use the network.
    func credential() async throws -> Credential?

    /// One in place of `rejected`, which the server answered 401 to. When it returns,
    /// `credential()` gives the new one.
    ///
    /// - Throws: ``CredentialRejection`` when the sign-in itself is no longer valid, so that
    ///   nothing but a new one helps; anything else when that could not be found out, for want of a
    ///   network, say.
    func refresh(_ rejected: Credential) async throws -> Credential

    /// What to show for this request, where that depends on the request: a signature over its
    /// method and path, say. Without an implementation it is ``credential()`` for all of them; with
    /// one, let that give nil.
    func credential(for request: HTTPRequest) async throws -> Credential?

    /// One in place of what was refused, where that depends on the server's challenges: Digest (RFC
    /// 7616), say. Also called for a request that was sent without a credential and answered by a
    /// challenge. Without an implementation it is ``refresh(_:)``, and a rejection where nothing
    /// was shown.
    ///
    /// - Throws: as ``refresh(_:)``; a ``CredentialRejection`` lets the 401 stand.
    func refresh(after refusal: CredentialRefusal) async throws -> Credential
}

extension CredentialsProvider {
    public func credential(for request: HTTPRequest) async throws -> Credential? { try await credential() }

    public func refresh(after refusal: CredentialRefusal) async throws -> Credential {
        guard let rejected = refusal.credential else {
            throw CredentialRejection(message: "expected a credential, found that the provider has none to show")
        }
        return try await refresh(rejected)
    }
}

/// A credential that does not change: an API key, or user name and password. There is nothing to
/// refresh, so a 401 stands.
public struct FixedCredential: CredentialsProvider {
    private let fixed: Credential

    public init(_ credential: Credential) { fixed = credential }

    public func credential() async -> Credential? { fixed }
    public func refresh(_ rejected: Credential) async throws -> Credential {
        throw CredentialRejection(message: "expected the server to take the fixed credential, found that it refused it")
    }
}
