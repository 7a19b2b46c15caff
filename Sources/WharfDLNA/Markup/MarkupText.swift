extension String {
    /// As text or as an attribute's value inside of XML 1.0. Characters that XML has no way to
    /// write, such as most controls, are left out.
    var escapedForMarkup: String {
        var escaped = String.UnicodeScalarView()
        escaped.reserveCapacity(unicodeScalars.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&apos;".unicodeScalars)
            // As a character it would be read back as a line feed.
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                escaped.append(scalar)
            default: continue
            }
        }
        return String(escaped)
    }
}
