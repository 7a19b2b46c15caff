public import WharfCore

/// A 401 as a ``CredentialsProvider`` sees it: what was asked, what was shown for it, and what the
/// server wants.
public struct CredentialRefusal: Sendable {
    /// What was shown; nil when the request went without a credential.
    public let credential: Credential?
    /// As it was sent, but for its credential: method, path with query, and fields.
    public let request: HTTPRequest
    public let response: HTTPResponse

    /// How the server lets itself be shown who asks.
    public var challenges: [AuthenticationChallenge] { response.authenticationChallenges }

    public init(credential: Credential?, request: HTTPRequest, response: HTTPResponse) {
        self.credential = credential
        self.request = request
        self.response = response
    }
}
