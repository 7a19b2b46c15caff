internal import WharfCore
internal import WharfPrimitives

/// The name of the file that a value lies in.
///
/// A short name of a value is spelled in hexadecimal, so that it is the same file name on every
/// file system, whether or not that tells case apart, composes accents or forbids slashes; a longer
/// one by 128 bits of hash, since 255 bytes are the limit (143 in encrypted home directories).
/// Whose file it is stands inside.
enum ValueFileName {
    /// Bytes of UTF-8.
    private static let longestSpelled = 70
    private static let ending = ".value"

    enum Meaning: Equatable {
        case name(String)
        /// The name stands in the file.
        case hash
        /// Not a file of the store.
        case foreign
    }

    static func of(_ name: String) -> String {
        let bytes = Array(name.utf8)
        if bytes.count <= longestSpelled { return "n-" + Hexadecimal.text(bytes) + ending }
        return "h-" + [0, 1].map { Hexadecimal.text(XXH64.hash(bytes, seed: $0)) }.joined() + ending
    }

    static func isHashed(_ name: String) -> Bool { name.utf8.count > longestSpelled }

    static func meaning(of file: String) -> Meaning {
        guard file.hasSuffix(ending) else { return .foreign }
        let digits = file.utf8.dropFirst(2).dropLast(ending.utf8.count)
        if file.hasPrefix("h-"), digits.count == 32 { return .hash }
        guard file.hasPrefix("n-"), let bytes = Hexadecimal.bytes(digits),
            let name = String(validating: bytes, as: UTF8.self),
            // Also in capital letters it would name the same, and be another file.
            of(name) == file
        else { return .foreign }
        return .name(name)
    }
}
