public import WharfCore

/// A 401 as a ``CredentialsProvider`` sees it: request, credential and response.
public struct CredentialRefusal: Sendable {
    /// The credential that was sent; nil for none.
    public let credential: Credential?
    /// The request without its credential: method, path with query, and fields.
    public let request: HTTPRequest
    /// The head of the 401.
    public let response: HTTPResponse

    /// The authentication schemes that the server accepts.
    public var challenges: [AuthenticationChallenge] { response.authenticationChallenges }

    /// Creates a refusal, for tests of a provider.
    public init(credential: Credential?, request: HTTPRequest, response: HTTPResponse) {
        self.credential = credential
        self.request = request
        self.response = response
    }
}
