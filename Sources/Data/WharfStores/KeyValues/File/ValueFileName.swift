internal import WharfCore
internal import WharfPrimitives

/// The name of a value's file.
///
/// A short name is spelled in hexadecimal. So it is the same on file systems that ignore case,
/// compose accents or forbid slashes. A longer name is replaced by 128 bits of hash, because the
/// limit is 255 bytes (143 in encrypted home directories). The file contains the name itself.
enum ValueFileName {
    /// The longest name that is spelled out, in bytes of UTF-8.
    private static let longestSpelled = 70
    private static let ending = ".value"

    enum Meaning: Equatable {
        case name(String)
        /// Only the file's content has the name.
        case hash
        /// A file that does not belong to the store.
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
            // Capital digits would decode to the same name, but are another file.
            of(name) == file
        else { return .foreign }
        return .name(name)
    }
}
