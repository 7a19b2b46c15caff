/// A message, independent of the channels that deliver it.
public struct Message: Hashable, Sendable {
    /// The title; empty for none. A channel without titles puts it on the first line of the body.
    public var title: String
    /// The plain text.
    public var body: String
    /// Additional values by their names, such as a link or the address for replies.
    ///
    /// A channel uses the attributes that it supports and ignores the others.
    public var attributes: [String: String]

    /// HTML, attachments and further recipients, for e-mail channels.
    public var email: EmailContent

    /// Creates a message.
    public init(
        title: String = "", body: String, attributes: [String: String] = [:], email: EmailContent = EmailContent()
    ) {
        self.title = title
        self.body = body
        self.attributes = attributes
        self.email = email
    }
}
