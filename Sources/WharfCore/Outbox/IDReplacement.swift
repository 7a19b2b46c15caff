/// Puts other ids into bytes, wherever one stands between bytes that are not part of a word:
/// letters, digits, `_`, `-` and what is not ASCII are.
///
/// It knows no format. A segment of an address, a whole string in JSON and a value of a form are
/// found, and so is a word inside a sentence: temporary ids have to be words that occur nowhere
/// else, such as UUIDs.
package enum IDReplacement {
    package static func replacing(_ ids: [String: String], in bytes: [UInt8]) -> [UInt8] {
        let ids = ids.map { (old: Array($0.key.utf8), new: Array($0.value.utf8)) }.filter { !$0.old.isEmpty }
            // The longest first, lest one that begins like another is taken for it.
            .sorted { $0.old.count > $1.old.count }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        // In one pass: what was put in is not looked at again.
        while index < bytes.count {
            let found =
                index > 0 && isPartOfWord(bytes[index - 1]) ? nil : ids.first { stands($0.old, at: index, in: bytes) }
            result.append(contentsOf: found?.new[...] ?? bytes[index...index])
            index += found?.old.count ?? 1
        }
        return result
    }

    private static func stands(_ id: [UInt8], at index: Int, in bytes: [UInt8]) -> Bool {
        let end = index + id.count
        guard end <= bytes.count, bytes[index] == id[0], bytes[index..<end].elementsEqual(id) else { return false }
        return end == bytes.count || !isPartOfWord(bytes[end])
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}
