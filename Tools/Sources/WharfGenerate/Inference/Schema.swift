/// The types inferred from samples, before they have names.
struct Schema: Sendable, Hashable {
    var root: ValueType
    /// The declarations in the order in which they were found. A ``ValueType/declared(_:)`` is an
    /// index into it.
    var declarations: [Declaration]

    /// Whether the document is an object with fields, and not an array, dictionary or scalar.
    var isRootDeclared: Bool {
        if case .declared = root { true } else { false }
    }
}

/// The type of the values at one place of a document.
indirect enum ValueType: Sendable, Hashable {
    /// Any value, as the samples have only null there, or nothing.
    case anything
    case bool
    case integer
    /// A whole number beyond `Int` that is never negative.
    case unsigned
    /// A number with more digits than a `Double` keeps.
    case decimal
    case double
    case string
    /// A time in ISO 8601 in UTC, with whole seconds or three more digits.
    case date(hasMilliseconds: Bool)
    case uuid(isUppercase: Bool)
    case url
    case array(ValueType)
    /// An object whose keys are data.
    case map(ValueType)
    case optional(ValueType)
    case declared(Int)
}

/// A type that is declared.
struct Declaration: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case object([Field])
        /// A closed set of strings.
        case enumeration([String])
        case union(Union)
        /// Values of several kinds at one place.
        case mixed([ValueType])
    }

    struct Field: Sendable, Hashable {
        var key: String
        /// The type of the values other than null.
        var type: ValueType
        var mayBeAbsent: Bool
        var mayBeNull: Bool

        var isOptional: Bool { mayBeAbsent || mayBeNull || type == .anything }
    }

    /// Objects of several kinds that a tag distinguishes.
    struct Union: Sendable, Hashable {
        struct Kind: Sendable, Hashable {
            var tag: String
            /// The type; nil if a kind has only its tag.
            var type: ValueType?
        }

        var tagKey: String
        /// The key of the value beside the tag; nil if the tag is inside the value.
        var contentKey: String?
        var kinds: [Kind]
    }

    /// The basis of the name: the key under which it was found, or the name given by the user.
    var hint: String
    /// The declaration that contains it.
    var parent: Int?
    /// Whether it is a kind of a union. It then keeps a name of its own, even if another
    /// declaration is equal.
    var isKind = false
    var content: Content
}
