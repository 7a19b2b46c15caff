/// A file that is attached to an e-mail, or an image that its HTML shows.
///
/// ```swift
/// message.email.html = #"<p>Here we meet:</p><img src="cid:map@example.com">"#
/// message.email.attachments = [
///     EmailAttachment("map.png", type: "image/png", map, contentID: "map@example.com"),
///     EmailAttachment("Menü.pdf", type: "application/pdf", menu),
/// ]
/// ```
///
/// The outbox stores the bytes with the message in Base64, which is a third more than the file.
public struct EmailAttachment: Hashable, Sendable {
    /// The name of the file, in any alphabet.
    public var name: String
    /// The media type, such as `image/png` or `text/csv; charset=utf-8`.
    public var type: String
    /// The content of the file.
    public var bytes: [UInt8]
    /// The name by which the HTML refers to the image; nil for a file to save.
    ///
    /// The HTML has a reference such as `cid:map@example.com`. RFC 2045 §7 requires two dot-atoms
    /// with an `@` between them.
    public var contentID: String?

    /// Creates an attachment.
    ///
    /// - Parameters:
    ///   - type: neither `multipart/…` nor `message/…`, which RFC 2045 §6.4 forbids to encode.
    ///   - contentID: for an image inside the HTML; nil for a file to save.
    public init(_ name: String, type: String, _ bytes: [UInt8], contentID: String? = nil) {
        self.name = name
        self.type = type
        self.bytes = bytes
        self.contentID = contentID
    }
}

extension EmailAttachment {
    /// The media type and its parameters, each as a word of a folded field.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader``
    func typeWords() throws(MessagingError) -> [String] {
        let parts = type.splitAtSemicolons().filter { !$0.isEmpty }.map(\.trimmingSpaces)
        let names = parts.first.map { $0.split(separator: "/", omittingEmptySubsequences: false) } ?? []
        guard names.count == 2, names.allSatisfy(Self.isToken), type.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            parts.dropFirst().allSatisfy({ $0.contains("=") })
        else {
            throw MessagingError(
                .invalidHeader,
                message: "expected a media type such as image/png for the attachment \(name.debugDescription), "
                    + "found \(type.debugDescription)")
        }
        guard !["multipart", "message"].contains(names[0].lowercased()) else {
            throw MessagingError(
                .invalidHeader,
                message: "\(name.debugDescription) can't be attached as \(type.debugDescription), which RFC 2045 §6.4 "
                    + "forbids to encode; attach it as application/octet-stream")
        }
        // The semicolon stays with its word, so a folded line never begins with one.
        return parts.enumerated().map { $0 < parts.count - 1 ? "\($1);" : "\($1)" }
    }

    /// The value of `Content-ID`.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader``
    func contentIDWord() throws(MessagingError) -> String? {
        guard let contentID else { return nil }
        let sides = contentID.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy(EmailAddress.isDotAtom), contentID.utf8.count <= 200 else {
            throw MessagingError(
                .invalidHeader,
                message: "expected a content ID such as map@example.com for the attachment \(name.debugDescription), "
                    + "found \(contentID.debugDescription) (RFC 2045 §7)")
        }
        return "<\(contentID)>"
    }

    /// Whether a text is a `token` (RFC 2045 §5.1).
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { EmailAddress.isAlphanumeric($0) || "!#$%&'*+-.^_`{|}~".utf8.contains($0) }
    }
}

extension String {
    /// Splits the text at semicolons that are outside of quoted strings (RFC 2045 §5.1).
    fileprivate func splitAtSemicolons() -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
            return character == ";" && !isQuoted
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.last == " " { rest.removeLast() }
        return rest.drop { $0 == " " }
    }
}
