/// The types that some samples ask for, before they have names.
struct Schema: Sendable, Hashable {
    var root: ValueType
    /// In the order in which they were come upon; a ``ValueType/declared(_:)`` is a place in it.
    var declarations: [Declaration]

    /// Whether the document is an object of fields, and no array, dictionary or scalar.
    var isRootDeclared: Bool {
        if case .declared = root { true } else { false }
    }
}

/// What can stand at one place of a document.
indirect enum ValueType: Sendable, Hashable {
    /// Nothing but null was seen, or nothing at all.
    case anything
    case bool
    case integer
    /// Beyond `Int`, and never negative.
    case unsigned
    /// More digits than a `Double` keeps.
    case decimal
    case double
    case string
    /// An instant in ISO 8601, in UTC, in whole seconds or with three digits behind them.
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
        /// Of the values that are not null.
        var type: ValueType
        var mayBeAbsent: Bool
        var mayBeNull: Bool

        var isOptional: Bool { mayBeAbsent || mayBeNull || type == .anything }
    }

    /// Objects of several kinds that a tag tells apart.
    struct Union: Sendable, Hashable {
        struct Kind: Sendable, Hashable {
            var tag: String
            /// Nil where a kind has nothing but its tag.
            var type: ValueType?
        }

        var tagKey: String
        /// The key beside the tag under which the value stands; nil where the tag stands in the
        /// value.
        var contentKey: String?
        var kinds: [Kind]
    }

    /// The key under which it was found, or the name that the user gave: what its name is made of.
    var hint: String
    /// The declaration in which it was found.
    var parent: Int?
    /// One of the kinds of a union: it has a name of its own, also where another one looks the
    /// same.
    var isKind = false
    var content: Content
}
