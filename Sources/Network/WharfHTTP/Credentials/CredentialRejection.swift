/// An error for a sign-in that is no longer valid.
///
/// The refresh token was revoked, the password changed, or the sign-in could never be refreshed.
/// ``CredentialsProvider/refresh(_:)`` throws it so that the service's 401 is returned.
public struct CredentialRejection: Error, Sendable, CustomStringConvertible {
    /// The reason, for developers.
    public let message: String
    /// The provider's underlying error.
    public let cause: (any Error)?

    /// Creates a rejection.
    public init(message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}
