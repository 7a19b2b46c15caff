public import WharfCore

/// Sends e-mail by the `sendmail` of the system: Postfix, OpenSMTPD, Exim, msmtp and others have
/// one.
///
/// ```swift
/// let email = EmailChannel(
///     from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"), sendmail: Sendmail("/usr/bin/msmtp"))
/// ```
///
/// The channel writes an ``EmailMessage``: text and HTML, images, attachments, further recipients.
/// Each attempt sends the same bytes: `Date` is the time when the message was sent, `Message-ID`
/// its idempotency key. A line break or NUL in a title or a name is refused, as it would begin a
/// field of its own.
///
/// The program has one exit code for all recipients. `SMTPChannel` of `WharfSMTP` knows the answer
/// for each.
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
            let message = try EmailMessage(part, from: from)
            // The interface takes lines as the system has them, and sends CR LF.
            return await sendmail.submit(try message.encoded(lineEnd: "\n"), to: message)
        } catch {
            return .rejected(DeliveryFailure(.rejected, message: error.message))
        }
    }
}
