/// A name told apart by the bytes of its UTF-8, where `String` takes canonically equivalent ones for the same.
struct ExactName: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension ExactName: Comparable {
    static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    static func < (a: Self, b: Self) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension ExactName: Hashable {
    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Sequence<ExactName> {
    /// As ``WharfCore/KeyValueStore/keys(withPrefix:)`` gives them.
    func listed(withPrefix prefix: String) -> [String] {
        filter { $0.hasPrefix(prefix) }.sorted().map(\.text)
    }
}
