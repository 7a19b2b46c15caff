/// The replacement of ids in bytes, if no neighbouring byte is part of a word.
///
/// Letters, digits, `_`, `-` and bytes outside of ASCII are parts of words. The replacement knows
/// no format. It finds a segment of a URL, a whole string in JSON and the value of a form, but also
/// a word in a sentence. Temporary ids must therefore be words that occur nowhere else, such as
/// UUIDs.
package enum IDReplacement {
    /// Returns the bytes with the ids replaced; the keys are the old ids.
    package static func replacing(_ ids: [String: String], in bytes: [UInt8]) -> [UInt8] {
        let ids = ids.map { (old: Array($0.key.utf8), new: Array($0.value.utf8)) }.filter { !$0.old.isEmpty }
            // The longest id first, or an id that is the beginning of another would be replaced
            // instead.
            .sorted { $0.old.count > $1.old.count }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        // In one pass, so that a replacement is not replaced again.
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
        // The id must end here: "note-1" must not be replaced in "note-12".
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
