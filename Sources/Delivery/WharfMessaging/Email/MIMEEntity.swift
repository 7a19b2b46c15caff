/// A header with its body: one part of a message, or the whole message (RFC 2045 §2.4).
struct MIMEEntity {
    private(set) var header = EmailHeader()
    /// The lines without their line ends.
    private(set) var body: [String]

    /// Creates the structure that mail readers expect. A level with one part is left out.
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
        // Only HTML can show an image. Without HTML the images are attached as files.
        let isShown = { (attachment: EmailAttachment) in content.html != nil && attachment.contentID != nil }
        if let html = content.html {
            var page = Self(text: html, type: "text/html")
            let images = content.attachments.filter(isShown)
            if !images.isEmpty {
                page = Self(.related, [page] + (try Self.entities(images, disposition: "inline")))
            }
            // The best alternative comes last (RFC 2046 §5.1.4): a reader shows the last part that
            // it understands.
            shown = text.isEmpty ? page : Self(.alternative, [shown, page])
        }
        let files = content.attachments.filter { !isShown($0) }
        self = files.isEmpty ? shown : Self(.mixed, [shown] + (try Self.entities(files, disposition: "attachment")))
    }

    private enum Multipart: String {
        case mixed, related, alternative

        /// The boundary, which no line of a part can equal.
        ///
        /// Lines in quoted-printable and Base64 never contain `=_`. ``EmailBody`` encodes a text if
        /// one of its lines begins with `--=_`. The boundary is constant, so each attempt sends the
        /// same bytes.
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
        // RFC 2387 §3.1 requires the media type of the root part.
        let type = kind == .related ? " type=\"text/html\";" : ""
        header.addConstant("Content-Type", "multipart/\(kind);\(type) boundary=\"\(kind.boundary)\"")
        body =
            parts.flatMap { ["--\(kind.boundary)"] + $0.header.lines + [""] + $0.bodyInside } + ["--\(kind.boundary)--"]
    }

    /// The body as a part of a multipart entity.
    ///
    /// The line break before a boundary belongs to the boundary (RFC 2046 §5.1.1), so the last line
    /// needs another one.
    private var bodyInside: [String] { body.isEmpty ? body : body + [""] }

    private static func entities(
        _ attachments: [EmailAttachment], disposition: String
    ) throws(MessagingError) -> [MIMEEntity] {
        var entities: [MIMEEntity] = []
        for attachment in attachments { entities.append(try Self(attachment, disposition: disposition)) }
        return entities
    }
}
