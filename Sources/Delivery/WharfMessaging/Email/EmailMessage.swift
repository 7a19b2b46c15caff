public import WharfCore

/// An e-mail in the Internet Message Format (RFC 5322, 2045, 2047, 2231).
///
/// E-mail channels create one for each part that they deliver. Use it directly with a service that
/// takes raw messages.
///
/// ```swift
/// var message = EmailMessage(from: sender, to: [ada], subject: "Lunch", text: "At noon?", date: now, key: key)
/// message.content.html = "<p>At <b>noon</b>?</p>"
/// let bytes = try message.encoded()
/// let envelope = message.recipients
/// ```
///
/// Guarantees:
/// - Equal messages have equal bytes, so each attempt sends the same.
/// - The bytes are 7-bit lines of at most 998 octets. None ends in white space, begins with a dot,
///   or begins with "From ". Relays have no reason to change them, so a DKIM signature stays valid.
/// - No recipient of ``EmailContent/bcc`` is in the bytes.
public struct EmailMessage: Hashable, Sendable {
    /// The author.
    public var from: Mailbox
    /// The recipients; at least one.
    public var to: [Mailbox]
    /// The subject; empty for none.
    public var subject: String
    /// The plain text. Leave it empty for a message that has only HTML.
    public var text: String
    /// HTML, attachments, cc, bcc and the mailboxes for replies.
    public var content = EmailContent()
    /// The time when the message was sent.
    public var date: WallTime
    /// The key that becomes the `Message-ID`, together with the sender's domain.
    public var key: IdempotencyKey

    /// Creates a message.
    public init(
        from: Mailbox, to: [Mailbox], subject: String = "", text: String, date: WallTime, key: IdempotencyKey
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.date = date
        self.key = key
    }

    /// Creates the message that an e-mail channel sends for a part.
    ///
    /// The attribute `replyTo` is the address for replies if the content has none.
    ///
    /// - Throws: ``MessagingError/Code/invalidAddress``
    public init(_ part: MessagePart, from: Mailbox) throws(MessagingError) {
        var content = part.email
        if content.replyTo.isEmpty, let address = part.attributes["replyTo"] {
            content.replyTo = [Mailbox(try EmailAddress(address))]
        }
        self.init(
            from: from, to: [Mailbox(try EmailAddress(part.address), name: part.name)], subject: part.title,
            text: part.body, date: part.sentAt, key: part.key)
        self.content = content
    }

    /// The recipients of the envelope: to, cc and bcc, without duplicates.
    public var recipients: [EmailAddress] {
        var seen: Set<EmailAddress> = []
        return (to + content.cc + content.bcc).map(\.address).filter { seen.insert($0).inserted }
    }

    /// Returns the bytes of the message, with lines that end in CR LF as in SMTP.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader`` for a line break or NUL in a field, and for
    ///   an invalid media type or content ID. ``MessagingError/Code/tooLong`` for a line of more
    ///   than 998 octets.
    public func encoded() throws(MessagingError) -> [UInt8] { try encoded(lineEnd: "\r\n") }

    func encoded(lineEnd: String) throws(MessagingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in try lines() {
            bytes += line.utf8
            bytes += lineEnd.utf8
        }
        return bytes
    }

    private func lines() throws(MessagingError) -> [String] {
        var header = EmailHeader()
        // The format of an HTTP date, with a numeric zone instead of "GMT" (RFC 5322 §3.3).
        try header.add("Date", words: ["\(date.httpDate.dropLast(3))+0000"])
        try header.add("From", [from])
        try header.add("To", to)
        try header.add("Cc", content.cc)
        try header.add("Reply-To", content.replyTo)
        if !subject.isEmpty { try header.add("Subject", text: subject) }
        try header.add("Message-ID", words: ["<\(Self.identifier(key))@\(from.address.domain)>"])
        try header.add("MIME-Version", words: ["1.0"])
        let entity = try MIMEEntity(text: text, content)
        return header.lines + entity.header.lines + [""] + entity.body
    }

    /// Returns the left side of a `msg-id` (RFC 5322 §3.6.4). Different keys give different texts.
    private static func identifier(_ key: IdempotencyKey) -> String {
        var text = ""
        for byte in key.text.utf8 {
            // A `dot-atom-text` neither begins nor ends with a dot, and has no two in a row (RFC
            // 5322 §3.2.3).
            let isDot = byte == UInt8(ascii: ".") && !text.isEmpty && !text.hasSuffix(".")
            let isPlain = EmailAddress.isAlphanumeric(byte) || "-_".utf8.contains(byte) || isDot
            text += isPlain ? String(UnicodeScalar(byte)) : "=" + QuotedPrintable.hex(byte)
        }
        // The last byte is known only here.
        if text.hasSuffix(".") { text = text.dropLast() + "=2E" }
        return text.isEmpty ? "=" : text
    }
}
