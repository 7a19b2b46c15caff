public import WharfCore

/// Sends e-mail by the `sendmail` of the system: Postfix, OpenSMTPD, Exim, msmtp and others have one.
///
/// ```swift
/// let email = EmailChannel(from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"), sendmail: Sendmail("/usr/bin/msmtp"))
/// ```
///
/// Each message is plain text in UTF-8 (RFC 5322, 2045, 2047), the same bytes on every attempt: its `Date` is when it was sent, its
/// `Message-ID` its idempotency key. The attribute `replyTo` is the address that answers go to. A line break or NUL in a title or a name is
/// refused, as it would begin a field of its own.
public struct EmailChannel: MessageChannel {
    public let name: String
    public let limits: ChannelLimits
    private let from: Mailbox
    private let sendmail: Sendmail

    public init(
        _ name: String = "email", from: Mailbox, limits: ChannelLimits = ChannelLimits(), sendmail: Sendmail
    ) {
        self.name = name
        self.limits = limits
        self.from = from
        self.sendmail = sendmail
    }

    public func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        do {
            let replyTo = try part.attributes["replyTo"].map { address throws(MessagingError) in
                Mailbox(try EmailAddress(address))
            }
            let message = EmailMessage(
                from: from, to: Mailbox(try EmailAddress(part.address), name: part.name), replyTo: replyTo,
                subject: part.title,
                body: part.body, date: part.sentAt, key: part.key)
            // The interface takes lines as the system has them, and sends CR LF.
            let text = try message.lines().map { $0 + "\n" }.joined()
            return await sendmail.submit(Array(text.utf8))
        } catch {
            return .rejected(DeliveryFailure(.rejected, message: error.message))
        }
    }
}
