/// What somebody tells somebody, whichever way it goes.
public struct Message: Hashable, Sendable {
    /// Empty for none. A channel without titles puts it on the first line.
    public var title: String
    public var body: String
    /// More for the channels that know what to do with it, by name: a link, a sound, whom to
    /// answer.
    public var attributes: [String: String]

    /// HTML, attachments and further recipients, for channels of e-mail.
    public var email: EmailContent

    public init(
        title: String = "", body: String, attributes: [String: String] = [:], email: EmailContent = EmailContent()
    ) {
        self.title = title
        self.body = body
        self.attributes = attributes
        self.email = email
    }
}
