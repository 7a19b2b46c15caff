internal import WharfPrimitives

/// A parameter of a header field, in words of at most 78 characters (RFC 2231).
struct MIMEParameter {
    /// The words; empty for an empty value. All but the last end in a semicolon.
    let words: [String]

    /// Encodes a parameter.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader`` for control characters, which no file name
    ///   needs.
    init(_ name: String, _ value: String) throws(MessagingError) {
        guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw MessagingError(
                .invalidHeader,
                message:
                    "expected a \(name) without control characters, found \(value.debugDescription); leave them out")
        }
        words = value.isEmpty ? [] : Self.isPlain(value) ? ["\(name)=\"\(value)\""] : Self.extended(name, value)
    }

    /// Whether every mail reader takes the value literally in a quoted string.
    ///
    /// Some readers collapse spaces, and some decode encoded words in parameters.
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.count <= 60 && !value.hasPrefix(" ") && !value.hasSuffix(" ") && !value.contains("  ")
            && value.utf8.allSatisfy { EmailAddress.isAlphanumeric($0) || " !#&+,-.@_~()".utf8.contains($0) }
    }

    /// Returns `filename*0*=UTF-8''Men; filename*1*=%C3%BC.pdf` (§3, §4).
    private static func extended(_ name: String, _ value: String) -> [String] {
        var pieces: [String] = [""]
        for scalar in value.unicodeScalars {
            // Some readers decode each piece by itself, so no piece may end inside a scalar.
            let encoded = (UTF8.encode(scalar).map(Array.init) ?? []).map(Self.encoded).joined()
            // With the name, the number and the charset, 50 characters fit a line of 78.
            if pieces[pieces.count - 1].utf8.count + encoded.utf8.count > 50 { pieces.append("") }
            pieces[pieces.count - 1] += encoded
        }
        let charset = "UTF-8''"
        if pieces.count == 1 { return ["\(name)*=\(charset)\(pieces[0])"] }
        return pieces.enumerated().map { index, piece in
            "\(name)*\(index)*=\(index == 0 ? charset : "")\(piece)\(index < pieces.count - 1 ? ";" : "")"
        }
    }

    /// Percent-encodes a byte unless it is an `attribute-char` (§7).
    private static func encoded(_ byte: UInt8) -> String {
        let isPlain = EmailAddress.isAlphanumeric(byte) || "!#$&+-.^_`{|}~".utf8.contains(byte)
        return isPlain ? String(UnicodeScalar(byte)) : "%" + QuotedPrintable.hex(byte)
    }
}
