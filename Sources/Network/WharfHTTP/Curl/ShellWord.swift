package import WharfCore

/// Quotes text and bytes as words of a POSIX shell (POSIX.1 §2.2).
///
/// The shell reads back exactly the given text or bytes.
package enum ShellWord {
    /// Returns text as one word.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` for a NUL, which no argument of a process
    ///   can hold.
    package static func quoted(_ text: String) throws(TransportError) -> String {
        guard !text.utf8.contains(0) else {
            throw TransportError(
                .invalidRequest,
                message: "an argument of a command can't hold text with a NUL; send it as a body")
        }
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isHarmless)
        // No character is special between single quotes, and a single quote can't occur there.
        return isPlain
            ? text
            : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Returns a command that prints exactly these bytes. It uses octal escapes of `printf`, which
    /// each POSIX shell has, unlike `$'…'` and `base64`.
    static func printing(_ bytes: [UInt8]) -> String {
        var format = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): format += "%%"
            case UInt8(ascii: "\\"): format += #"\\"#
            case UInt8(ascii: "'"), 0..<0x20, 0x7f...: format += octal(byte)
            default: format.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        // `printf` could take a leading dash for an option.
        if format.hasPrefix("-") { format = octal(UInt8(ascii: "-")) + format.dropFirst() }
        return "printf '\(format)'"
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return #"\"# + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:,@+".utf8.contains(byte)
        }
    }
}
