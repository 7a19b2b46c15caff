internal import WharfPrimitives

/// The identity of a model in a cache.
enum ModelKey<ID: Hashable & Sendable>: Hashable, Sendable {
    /// With a store, the text of the id decides alone. The id is nil in a key that is made for a
    /// lookup.
    case stored(UTF8Key, ID?)
    /// Without a store, the id itself decides, because its text may not be unique.
    case id(ID)

    var value: ID? {
        switch self {
        case .stored(_, let value): value
        case .id(let value): value
        }
    }

    var text: String { utf8.text }

    var utf8: UTF8Key {
        switch self {
        case .stored(let key, _): key
        case .id(let value): UTF8Key(String(describing: value))
        }
    }

    static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.stored(let a, _), .stored(let b, _)): a == b
        case (.id(let a), .id(let b)): a == b
        default: false
        }
    }

    // The id of a stored key is left out, as in `==`: a key that is made for a look-up has none.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .stored(let key, _): hasher.combine(key)
        case .id(let value): hasher.combine(value)
        }
    }
}
