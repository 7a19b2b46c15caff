package import WharfCore

/// Text and bytes as words of a POSIX shell (POSIX.1 §2.2): what the shell makes of them is what
/// was given.
package enum ShellWord {
    /// - Throws: ``TransportError/Code/invalidRequest`` for a NUL, which no argument of a process
    ///   can hold.
    package static func quoted(_ text: String) throws(TransportError) -> String {
        guard !text.utf8.contains(0) else {
            throw TransportError(
                .invalidRequest,
                message: "expected text that an argument of a command can hold, found a NUL in it; send it as a body")
        }
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isHarmless)
        // Nothing is special between single quotes, and they can't stand there themselves.
        return isPlain
            ? text
            : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A command that writes exactly these bytes. By octal escapes, since `printf` is in every
    /// POSIX shell and `$'…'` and `base64` are not.
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
        // A format that begins with a dash could be taken for an option.
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
