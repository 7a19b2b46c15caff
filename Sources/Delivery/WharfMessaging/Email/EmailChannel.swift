public import WharfCore

/// A channel that sends e-mail through the system's `sendmail` program.
///
/// Postfix, OpenSMTPD, Exim, msmtp and others provide one.
///
/// ```swift
/// let email = EmailChannel(
///     from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"), sendmail: Sendmail("/usr/bin/msmtp"))
/// ```
///
/// The channel sends an ``EmailMessage`` with text, HTML, images, attachments, cc and bcc. Each
/// attempt sends the same bytes: `Date` is the time when the message was enqueued, and `Message-ID`
/// is made of its idempotency key. A line break or NUL in a title or a name is rejected, as it
/// would allow header injection.
///
/// The program has one exit code for all recipients. Use `SMTPChannel` of `WharfSMTP` if the app
/// needs the answer for each recipient.
public struct EmailChannel: MessageChannel {
    public let name: String
    public let limits: ChannelLimits
    private let from: Mailbox
    private let sendmail: Sendmail

    /// Creates a channel.
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
            // sendmail reads lines that end in LF. It writes CR LF to the network itself.
            return await sendmail.submit(try message.encoded(lineEnd: "\n"), to: message)
        } catch {
            return .rejected(DeliveryFailure(.rejected, message: error.message))
        }
    }
}
