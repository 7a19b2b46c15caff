/// What git's configuration says of messages, by one process of git.
struct MessageSettings: Hashable {
    var marker = Comments.Marker.fixed([UInt8(ascii: "#")])
    var cleanup = Comments.Cleanup.standard
    /// Of commit messages; nil is UTF-8.
    var encoding: String?

    static func current() async throws(AnnotationError) -> MessageSettings {
        let output = try await Git.run([
            "config", "-z", "--get-regexp", "^(core\\.comment(char|string)|commit\\.cleanup|i18n\\.commitencoding)$",
        ])
        // 1: there is none of them.
        guard output.status <= 1 else {
            throw AnnotationError(.programFailed, "expected git's configuration, but: \(output.error)")
        }
        return MessageSettings(output.bytes)
    }

    /// - Parameter listing: `key`, line end, value, NUL, as often as there are values; of several the last counts.
    init(_ listing: [UInt8]) {
        for entry in listing.split(separator: 0) {
            let parts = entry.split(separator: .lineEnd, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else { continue }
            let value = String(decoding: parts[1], as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "core.commentchar", "core.commentstring":
                marker = value.lowercased() == "auto" ? .auto : .fixed(Array(parts[1]))
            case "commit.cleanup":
                cleanup = Comments.Cleanup(rawValue: value) ?? .standard
            default:
                encoding = ["utf-8", "utf8"].contains(value.lowercased()) ? nil : value
            }
        }
    }

    /// - Throws: ``AnnotationError`` where the encoding of messages can't write `text`.
    func encoded(_ text: String) async throws(AnnotationError) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard let encoding, !bytes.allSatisfy({ $0 < 0x80 }) else { return bytes }
        let output = try await Git.run("iconv", ["-f", "UTF-8", "-t", encoding], input: bytes)
        guard output.status == 0 else {
            throw AnnotationError(
                .noTicket,
                "expected a ticket that can be written in \(encoding) (i18n.commitEncoding), found '\(text)'; use --placeholder, or "
                    + "an expression that takes ASCII alone (iconv: \(output.error))")
        }
        return output.bytes
    }
}
