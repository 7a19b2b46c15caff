internal import WharfPrimitives

/// The id of a model, with its text.
struct ModelKey<ID: Hashable & Sendable>: Hashable, Sendable {
    let utf8: UTF8Key
    /// nil in a key that is only looked up by.
    let value: ID?
    /// Whether two ids of one text may be different: a repository without a store describes ids of
    /// any type.
    private let isAmbiguous: Bool

    init(text: String, value: ID?, isAmbiguous: Bool = false) {
        utf8 = UTF8Key(text)
        self.value = value
        self.isAmbiguous = isAmbiguous
    }

    var text: String { utf8.text }

    static func == (a: Self, b: Self) -> Bool {
        a.utf8 == b.utf8 && (!a.isAmbiguous || a.value == b.value)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}
