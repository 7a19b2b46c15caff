import Subprocess

/// The encoding of commit messages, `i18n.commitEncoding`.
enum Encoding {
    /// - Throws: ``AnnotationError`` if that encoding can't express `text`.
    static func encoded(_ text: String) async throws(AnnotationError) -> [UInt8] {
        let bytes = Array(text.utf8)
        // Every encoding that git can store contains ASCII.
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
        let setting = try await Git.run(["config", "i18n.commitEncoding"])
        // Status 1 means that it is not set.
        guard setting.status <= 1 else {
            throw AnnotationError(.programFailed, "can't read git's configuration: \(setting.error)")
        }
        let encoding = setting.text
        if encoding.isEmpty || ["utf-8", "utf8"].contains(encoding.lowercased()) { return bytes }
        let output = try await Git.run("iconv", ["-f", "UTF-8", "-t", encoding], input: .array(bytes))
        guard output.status == 0 else {
            throw AnnotationError(
                .noTicket,
                "expected a ticket that can be written in \(encoding) (i18n.commitEncoding), found '\(text)'; "
                    + "use an expression that matches only ASCII (iconv: \(output.error))")
        }
        return output.bytes
    }
}
