/// What tells whether something has changed: lines of text, and a short name for them.
struct Fingerprint: Equatable, Sendable {
    private(set) var text = ""

    mutating func add(_ label: String, _ value: String) { text += "\(label) \(value)\n" }

    /// - Parameter name: how the file is called here, which counts as well.
    mutating func add(file name: String, _ contents: [UInt8]) {
        add("file", "\(contents.count) \(Self.hash(contents)) \(name)")
    }

    /// For the name of a folder. The text decides.
    var name: String { Self.hash(text.utf8) }

    /// FNV-1a of 64 bits: nobody gains by a collision in files of one's own.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
