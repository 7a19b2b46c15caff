/// The sign-in itself is no longer valid: its refresh token was revoked, its password changed, or
/// it never could be refreshed.
///
/// Thrown by ``CredentialsProvider/refresh(_:)``, so that the service's 401 is the answer.
public struct CredentialRejection: Error, Sendable, CustomStringConvertible {
    public let message: String
    /// What the provider knows it by.
    public let cause: (any Error)?

    public init(message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}
