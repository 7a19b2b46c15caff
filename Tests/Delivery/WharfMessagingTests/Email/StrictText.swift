import Foundation
import WharfChecks

/// A strict parser of the texts in header fields.
enum StrictText {
    /// Either encoded words alone, or plain text. Wharf never writes a mixture.
    static func unstructured(_ value: String) throws -> String {
        guard value.contains("=?") else { return value }
        return try words(value.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }

    static func mailbox(_ value: String) throws -> (name: String, address: String) {
        guard value.hasSuffix(">") else { return ("", value) }
        let open = try require(value.lastIndex(of: "<"), "no <: \(value)")
        let address = String(value[open...].dropFirst().dropLast())
        let phrase = value[..<open]
        try require(phrase.hasSuffix(" "), "no space before the address: \(value)")
        let text = String(phrase.dropLast())
        if text.hasPrefix("\"") { return (try unquoted(text), address) }
        return (try words(text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)), address)
    }

    private static func unquoted(_ text: String) throws -> String {
        try require(text.count >= 2 && text.hasSuffix("\""), "no quotes: \(text)")
        var result = ""
        var rest = text.dropFirst().dropLast()
        while let character = rest.popFirst() {
            try require(character != "\"", "a quote inside: \(text)")
            if character == "\\" {
                result.append(try require(rest.popFirst(), "nothing behind \\"))
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// RFC 2047 §2, §5: each word has at most 75 characters, and no character is split.
    private static func words(_ words: [String]) throws -> String {
        try words.map { word in
            try require(word.utf8.count <= 75, "an encoded word of \(word.utf8.count) characters")
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            try require(
                parts.count == 5 && parts[0] == "=" && parts[1] == "UTF-8" && parts[4] == "=",
                "no encoded word: \(word)")
            let bytes: [UInt8]
            if parts[2] == "B" {
                bytes = Array(try require(Data(base64Encoded: String(parts[3])), "no Base64: \(word)"))
            } else {
                try require(parts[2] == "Q", "the encoding of \(word)")
                bytes = try quoted(parts[3])
            }
            return try require(String(validating: bytes, as: UTF8.self), "no whole characters: \(word)")
        }.joined()
    }

    /// Decodes the characters that a display name allows (§5, rule 3).
    private static func quoted(_ text: Substring) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(0x20)
            case UInt8(ascii: "="):
                let digits = String(Substring(rest.prefix(2)))
                try require(digits.allSatisfy { "0123456789ABCDEF".contains($0) }, "=\(digits)")
                bytes.append(try require(UInt8(digits, radix: 16), "=\(digits)"))
                rest = rest.dropFirst(2)
            default:
                let character = Character(UnicodeScalar(byte))
                try require(
                    character.isASCII && (character.isLetter || character.isNumber || "!*+-/".contains(character)),
                    "\(character) in an encoded word")
                bytes.append(byte)
            }
        }
        return bytes
    }
}
