internal import Synchronization

/// The keys of a document that no type reads, by their offsets.
package final class UnreadKeys: Sendable {
    // A set, because a union is read more than once: first for its tag, then for its kind.
    private let offsets = Mutex<Set<Int>>([])

    package init() {}

    @inline(never) func add(_ offset: Int) {
        offsets.withLock { _ = $0.insert(offset) }
    }

    /// Returns one issue per key in document order.
    ///
    /// An issue gives the place of the key; its texts are empty.
    package func issues(in bytes: JSONBytes) -> [JSONIssue] {
        let offsets = offsets.withLock(\.self).sorted()
        return bytes.withUnsafeBytes { bytes in
            var walk = SourceWalk(bytes)
            return offsets.map { offset in
                let place = walk.place(of: offset)
                let end = closingQuote(of: offset, in: bytes)
                let key = SourceWalk.text(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
                return JSONIssue(
                    JSONNote(offset: offset, code: .invalidValue, expected: "", key: key), at: place, in: bytes)
            }
        }
    }

    private func closingQuote(of offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var index = offset + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            // An escape takes two bytes, so an escaped quote does not end the key.
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}

extension UnreadKeys: Hashable {
    package static func == (left: UnreadKeys, right: UnreadKeys) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
