#if os(Linux)
/// The user and the password of a mail account.
///
/// They are used for AUTH PLAIN and AUTH LOGIN (RFC 4954). The description and the mirror show only
/// the user, so that no log contains the password.
public struct SMTPCredentials: Hashable, Sendable {
    /// The name of the account, often its address.
    public var user: String
    /// The password, or the password that the provider gives to one app.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension SMTPCredentials: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(user) (password hidden)" }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
#endif
