/// A text that is compared, hashed and sorted by its UTF-8 bytes.
///
/// `String` treats canonically equivalent texts as equal: `"\u{E9}"` is `"e\u{301}"`. Databases,
/// file names and services distinguish them. A `Dictionary` with `String` keys would merge two of
/// their keys.
package struct UTF8Key: Sendable {
    package let text: String

    @inlinable package init(_ text: String) { self.text = text }

    @inlinable package func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension UTF8Key: Hashable {
    @inlinable package static func == (a: Self, b: Self) -> Bool {
        // The count of UTF-8 is O(1) for native strings, and differs for most unequal keys.
        guard a.text.utf8.count == b.text.utf8.count else { return false }
        var (a, b) = (a.text, b.text)
        return a.withUTF8 { a in b.withUTF8 { b in a.indices.allSatisfy { a[$0] == b[$0] } } }
    }

    @inlinable package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // This byte does not occur in UTF-8. Without it the pairs of keys ("a", "bc") and ("ab",
        // "c") would collide.
        hasher.combine(0xFF as UInt8)
    }
}

extension UTF8Key: Comparable {
    @inlinable package static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension UTF8Key: CustomStringConvertible {
    package var description: String { text }
}
