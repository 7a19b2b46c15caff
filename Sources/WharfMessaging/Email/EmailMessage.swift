internal import WharfCore

/// A message as mail systems carry it (RFC 5322, 2045).
struct EmailMessage {
    var from: Mailbox
    var to: Mailbox
    var replyTo: Mailbox?
    var subject: String
    var body: String
    var date: WallTime
    var key: IdempotencyKey

    /// Without their ends.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader``, ``MessagingError/Code/tooLong``
    func lines() throws(MessagingError) -> [String] {
        let body = EmailBody(body)
        var header = EmailHeader()
        // As HTTP writes it, but for the zone (§3.3).
        try header.add("Date", words: ["\(date.httpDate.dropLast(3))+0000"])
        try header.add("From", from)
        try header.add("To", to)
        if let replyTo { try header.add("Reply-To", replyTo) }
        if !subject.isEmpty { try header.add("Subject", text: subject) }
        try header.add("Message-ID", words: ["<\(Self.identifier(key))@\(from.address.domain)>"])
        try header.add("MIME-Version", words: ["1.0"])
        try header.add("Content-Type", words: ["text/plain; charset=utf-8"])
        try header.add("Content-Transfer-Encoding", words: [body.encoding.rawValue])
        return header.lines + [""] + body.lines
    }

    /// The left side of a `msg-id` (§3.6.4): the same for the same key, and another for another.
    private static func identifier(_ key: IdempotencyKey) -> String {
        var text = ""
        for byte in key.text.utf8 {
            let isDot = byte == UInt8(ascii: ".") && !text.isEmpty && !text.hasSuffix(".")
            let isPlain = EmailAddress.isAlphanumeric(byte) || "-_".utf8.contains(byte) || isDot
            text += isPlain ? String(UnicodeScalar(byte)) : "=" + QuotedPrintable.hex(byte)
        }
        if text.hasSuffix(".") { text = text.dropLast() + "=2E" }
        return text.isEmpty ? "=" : text
    }
}
