/// A header with its body: one part of a message, or all of it (RFC 2045 §2.4).
struct MIMEEntity {
    private(set) var header = EmailHeader()
    /// Lines without their ends.
    private(set) var body: [String]

    /// The text and the content in the structure that readers expect, without the levels that have
    /// one part.
    ///
    ///     multipart/mixed
    ///         multipart/alternative
    ///             text/plain
    ///             multipart/related
    ///                 text/html
    ///                 images
    ///         files
    init(text: String, _ content: EmailContent) throws(MessagingError) {
        var shown = Self(text: text, type: "text/plain")
        // Only HTML can show an image; without it the images are files.
        let isShown = { (attachment: EmailAttachment) in content.html != nil && attachment.contentID != nil }
        if let html = content.html {
            var page = Self(text: html, type: "text/html")
            let images = content.attachments.filter(isShown)
            if !images.isEmpty {
                page = Self(.related, [page] + (try Self.entities(images, disposition: "inline")))
            }
            shown = text.isEmpty ? page : Self(.alternative, [shown, page])
        }
        let files = content.attachments.filter { !isShown($0) }
        self = files.isEmpty ? shown : Self(.mixed, [shown] + (try Self.entities(files, disposition: "attachment")))
    }

    private enum Multipart: String {
        case mixed, related, alternative

        /// The boundary can't be a line of a part: in quoted-printable and base64 no line has `=_`,
        /// and ``EmailBody`` encodes a text with a line that begins so. Being constant, it is the
        /// same on each attempt.
        var boundary: String { "=_\(rawValue)" }
    }

    private init(text: String, type: String) {
        let body = EmailBody(text)
        header.addConstant("Content-Type", "\(type); charset=utf-8")
        header.addConstant("Content-Transfer-Encoding", body.encoding.rawValue)
        self.body = body.lines
    }

    private init(_ attachment: EmailAttachment, disposition: String) throws(MessagingError) {
        try header.add("Content-Type", words: try attachment.typeWords())
        header.addConstant("Content-Transfer-Encoding", "base64")
        let name = try MIMEParameter("filename", attachment.name)
        try header.add("Content-Disposition", words: ["\(disposition)\(name.words.isEmpty ? "" : ";")"] + name.words)
        if let contentID = try attachment.contentIDWord() { try header.add("Content-ID", words: [contentID]) }
        body = Base64.lines(attachment.bytes)
    }

    private init(_ kind: Multipart, _ parts: [MIMEEntity]) {
        // RFC 2387 §3.1 wants the type of the root.
        let type = kind == .related ? " type=\"text/html\";" : ""
        header.addConstant("Content-Type", "multipart/\(kind);\(type) boundary=\"\(kind.boundary)\"")
        body =
            parts.flatMap { ["--\(kind.boundary)"] + $0.header.lines + [""] + $0.bodyInside } + ["--\(kind.boundary)--"]
    }

    /// The line break before a boundary belongs to the boundary (RFC 2046 §5.1.1), so the last line
    /// needs another.
    private var bodyInside: [String] { body.isEmpty ? body : body + [""] }

    private static func entities(
        _ attachments: [EmailAttachment], disposition: String
    ) throws(MessagingError) -> [MIMEEntity] {
        var entities: [MIMEEntity] = []
        for attachment in attachments { entities.append(try Self(attachment, disposition: disposition)) }
        return entities
    }
}
