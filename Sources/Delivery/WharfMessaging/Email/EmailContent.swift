/// The content of a message that only e-mail channels send, such as HTML.
///
/// Other channels send the title and the body.
///
/// ```swift
/// var message = Message(title: "Lunch", body: "At noon?")      // the text for readers without HTML
/// message.email.html = "<p>At <b>noon</b>?</p>"
/// message.email.bcc = [Mailbox(try EmailAddress("archive@example.com"))]
/// ```
///
/// A body that is too long for the channel is split. The first part then has the HTML and the
/// attachments.
public struct EmailContent: Hashable, Sendable {
    /// The message as HTML, beside the plain text of its body; nil for none.
    public var html: String?
    /// Files, and images that the HTML shows.
    public var attachments: [EmailAttachment]
    /// Further recipients, which every recipient sees.
    public var cc: [Mailbox]
    /// Further recipients, which no recipient sees.
    ///
    /// They are in the envelope and not in the header.
    public var bcc: [Mailbox]
    /// The mailboxes that a reply goes to; empty for the sender's.
    public var replyTo: [Mailbox]

    /// Creates the content.
    public init(
        html: String? = nil, attachments: [EmailAttachment] = [], cc: [Mailbox] = [], bcc: [Mailbox] = [],
        replyTo: [Mailbox] = []
    ) {
        self.html = html
        self.attachments = attachments
        self.cc = cc
        self.bcc = bcc
        self.replyTo = replyTo
    }

    var isEmpty: Bool { self == EmailContent() }

    /// The content of the second and later parts of a message that was split.
    var ofLaterParts: EmailContent { EmailContent(cc: cc, bcc: bcc, replyTo: replyTo) }
}
