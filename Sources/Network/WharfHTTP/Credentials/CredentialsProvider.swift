public import WharfCore

/// Holds the credential of one account, and renews it when the server refuses it.
///
/// Conform a type that wraps the token storage (a keychain, a session store) and the call that
/// renews the tokens. `CredentialsProviderLaws` of `WharfHTTPLaws` checks the rules for conformers
/// that are given here.
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
/// The effect of an error:
///
/// | thrown | by `refresh` | by `credential` |
/// |---|---|---|
/// | ``CredentialRejection`` | the 401 is returned, and no stored response masks it | as any other error: there is no 401 |
/// | any other | ``WharfCore/TransportError/Code/credentialUnavailable`` | the same |
///
/// `credentialUnavailable` has the thrown error as its `cause`. It is a failure and no answer, so a
/// stored response may be returned together with it.
///
/// ``AuthenticationMiddleware`` guarantees:
///
/// - `refresh` is called once for all requests that were refused with the same credential.
/// - It runs to its end even if all requests are cancelled, because it may have used up the refresh
///   token.
/// - It runs outside of the callers' actors and task-locals.
public protocol CredentialsProvider: Sendable {
    /// Returns the current credential; nil to send requests without one.
    ///
    /// It is called for each request, even for one that the cache answers offline. So it must
    /// return the stored credential, even an expired one, and must not use the network.
    func credential() async throws -> Credential?

    /// Returns a credential to replace `rejected`, which the server refused with a 401.
    ///
    /// After it returns, `credential()` must return the new one.
    ///
    /// - Throws: ``CredentialRejection`` if the sign-in itself is no longer valid, so that only a
    ///   new one helps. Any other error if that is unknown, for example without a network.
    func refresh(_ rejected: Credential) async throws -> Credential

    /// Returns the credential for a request, if it depends on the request.
    ///
    /// A signature over method and path is an example. The default is ``credential()``. If you
    /// implement this method, let `credential()` return nil.
    func credential(for request: HTTPRequest) async throws -> Credential?

    /// Returns a credential to replace a refused one, if it depends on the challenges.
    ///
    /// Digest (RFC 7616) is an example. It is also called if a request without a credential was
    /// answered by a challenge. The default calls ``refresh(_:)``, or throws a rejection if no
    /// credential was sent.
    ///
    /// - Throws: as ``refresh(_:)``. After a ``CredentialRejection`` the 401 is returned.
    func refresh(after refusal: CredentialRefusal) async throws -> Credential
}

extension CredentialsProvider {
    public func credential(for request: HTTPRequest) async throws -> Credential? { try await credential() }

    public func refresh(after refusal: CredentialRefusal) async throws -> Credential {
        guard let rejected = refusal.credential else {
            throw CredentialRejection(message: "the provider has no credential to refresh")
        }
        return try await refresh(rejected)
    }
}

/// A credential that does not change: an API key, or user name and password.
///
/// It can't be refreshed, so a 401 is returned.
public struct FixedCredential: CredentialsProvider {
    private let fixed: Credential

    /// Creates a provider that always returns this credential.
    public init(_ credential: Credential) { fixed = credential }

    public func credential() async -> Credential? { fixed }
    public func refresh(_ rejected: Credential) async throws -> Credential {
        throw CredentialRejection(message: "the server refused the fixed credential, which can't be refreshed")
    }
}
