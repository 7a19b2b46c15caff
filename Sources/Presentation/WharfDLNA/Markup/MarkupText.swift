extension String {
    /// The text escaped for text and attribute values of XML 1.0.
    ///
    /// Characters that XML cannot represent, such as most controls, are dropped.
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
            // An XML parser would turn a literal carriage return into a line feed.
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                escaped.append(scalar)
            default: continue
            }
        }
        return String(escaped)
    }
}
