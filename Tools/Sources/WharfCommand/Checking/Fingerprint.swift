/// A fingerprint of inputs, which changes if they do: lines of text, and a short name.
struct Fingerprint: Equatable, Sendable {
    private(set) var text = ""

    mutating func add(_ label: String, _ value: String) { text += "\(label) \(value)\n" }

    /// Adds a file's content.
    ///
    /// - Parameter name: the file's name, which is part of the fingerprint.
    mutating func add(file name: String, _ contents: [UInt8]) {
        add("file", "\(contents.count) \(Self.hash(contents)) \(name)")
    }

    /// A short name for a folder. Equality is decided by the text.
    var name: String { Self.hash(text.utf8) }

    /// Returns the 64-bit FNV-1a hash.
    ///
    /// It is not cryptographic, as an attack would hit only the attacker's own files.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
