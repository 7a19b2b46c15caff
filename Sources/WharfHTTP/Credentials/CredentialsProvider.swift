/// Holds the credential of one account, and gets a newer one when the server takes it no more.
///
/// Conform to it over the place where tokens lie (a keychain, a session store) and the call that renews them.
///
/// ```swift
/// struct Tokens: CredentialsProvider {
///     let session: SessionStore
///     let signIn: APIClient                                 // without AuthenticationMiddleware
///
///     func credential() async throws -> Credential? {
///         try await session.tokens().map { try .bearer($0.access) }
///     }
///     func refresh(_ rejected: Credential) async throws -> Credential? {
///         guard let tokens = try await session.tokens() else { return nil }
///         let renewed: Tokens = try await signIn.fetch(.post("token", json: ["refresh": tokens.refresh])).value
///         try await session.save(renewed)
///         return try .bearer(renewed.access)
///     }
/// }
/// ```
///
/// Guarantees that ``AuthenticationMiddleware`` gives: `refresh` is called once for all requests that were refused with the same
/// credential, it runs to its end whoever stops waiting (a refresh token may be used up by then), and outside of every caller's
/// actor and task-locals.
public protocol CredentialsProvider: Sendable {
    /// What to show now; nil to send requests without a credential, as when nobody is signed in.
    ///
    /// Asked for each request, also for one that the cache answers while the network is gone: so it gives what is there, an
    /// expired one too, and does not use the network.
    func credential() async throws -> Credential?

    /// One in place of `rejected`, which the server answered 401 to. When it returns, `credential()` gives the new one.
    ///
    /// Nil when there is none to be had, and the 401 stands. An error when it could not be found out.
    func refresh(_ rejected: Credential) async throws -> Credential?
}

/// A credential that does not change: an API key, or user name and password. There is nothing to refresh, so a 401 stands.
public struct FixedCredential: CredentialsProvider {
    private let fixed: Credential

    public init(_ credential: Credential) { fixed = credential }

    public func credential() async -> Credential? { fixed }
    public func refresh(_ rejected: Credential) async -> Credential? { nil }
}
