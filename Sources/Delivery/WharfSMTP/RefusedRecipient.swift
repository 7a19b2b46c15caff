#if os(Linux)
public import WharfCore
public import WharfMessaging

/// A recipient that a mail server has refused for good (5yz).
///
/// `SMTPChannel` hands it to its `onRefusal`, for `to` as well as for cc and bcc.
public struct RefusedRecipient: Hashable, Sendable {
    /// The recipient that does not get the message.
    public var address: EmailAddress
    /// The answer of the server, such as "550 5.1.1 no such mailbox".
    public var answer: String
    /// The recipient of the message, which is `address` unless cc or bcc was refused.
    public var to: EmailAddress
    /// The key of the message, which its `Message-ID` is made of.
    public var key: IdempotencyKey

    /// Creates a refusal.
    public init(address: EmailAddress, answer: String, to: EmailAddress, key: IdempotencyKey) {
        self.address = address
        self.answer = answer
        self.to = to
        self.key = key
    }
}
#endif
