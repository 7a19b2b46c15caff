import WharfJSON

/// The kind of a finding, and the identifier of its rule in SARIF.
///
/// New versions may add kinds, so a `switch` needs a default.
public struct FindingKind: Hashable, Sendable, CustomStringConvertible {
    /// The identifier, as in `missingKey`.
    public let name: String
    /// The meaning in one sentence.
    public let meaning: String
    /// The noun for counts, in the singular and plural.
    let counted: (one: String, many: String)
    /// Whether the finding makes the payload wrong.
    public let isError: Bool

    private init(_ name: String, _ meaning: String, _ one: String, _ many: String, isError: Bool = true) {
        self.name = name
        self.meaning = meaning
        self.counted = (one, many)
        self.isError = isError
    }

    public var description: String { name }

    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The document breaks the grammar of JSON (RFC 8259).
    public static let syntax = FindingKind(
        "syntax", "The document breaks the grammar of JSON (RFC 8259).", "breach of the grammar",
        "breaches of the grammar")
    /// An object lacks a key that the type needs.
    public static let missingKey = FindingKind(
        "missingKey", "An object lacks a key that the type needs.", "missing key", "missing keys")
    /// A value that the type needs is null.
    public static let null = FindingKind(
        "null", "A value that the type needs is null.", "null", "nulls")
    /// A value has another kind than the type reads.
    public static let wrongType = FindingKind(
        "wrongType", "A value has another kind than the type reads.", "wrong type", "wrong types")
    /// A number does not fit into the type.
    public static let outOfRange = FindingKind(
        "outOfRange", "A number does not fit into the type.", "number out of range", "numbers out of range")
    /// A value is not one of an enumeration's cases.
    public static let unknownCase = FindingKind(
        "unknownCase", "A value matches no case of an enumeration.", "unknown case", "unknown cases")
    /// A value of the right kind means nothing to the type.
    public static let invalidValue = FindingKind(
        "invalidValue", "A value of the right kind is invalid for the type.", "invalid value", "invalid values")
    /// The type's decoding threw an error of its own.
    public static let refused = FindingKind(
        "refused", "The type's own decoding threw its own error.", "refusal", "refusals")
    /// A rule does not hold.
    public static let rule = FindingKind("rule", "A rule does not hold.", "broken rule", "broken rules")
    /// An object has a key twice; found by ``CheckOptions/isStrict``.
    public static let duplicateKey = FindingKind(
        "duplicateKey", "An object has a key twice (with --strict).", "duplicate key", "duplicate keys")
    /// A comma before the end of an array or object; found by ``CheckOptions/isStrict``.
    public static let trailingComma = FindingKind(
        "trailingComma", "A comma precedes the end of an array or object (with --strict).", "trailing comma",
        "trailing commas")
    /// The type's decoding ended the process.
    public static let crash = FindingKind(
        "crash", "The type's own decoding ended the process.", "crash", "crashes")
    /// A key that no type reads; found by ``CheckOptions/findsIgnoredKeys``.
    public static let ignoredKey = FindingKind(
        "ignoredKey", "An object has a key that the type never reads (with --ignored-keys).", "ignored key",
        "ignored keys", isError: false)

    /// All kinds, in the order of reports.
    public static let all = [
        syntax, missingKey, null, wrongType, outOfRange, unknownCase, invalidValue, refused, rule, duplicateKey,
        trailingComma, crash, ignoredKey,
    ]
}

extension FindingKind {
    init(_ issue: JSONIssue) {
        self =
            switch issue.code {
            case .syntax, .invalidUTF8, .tooDeep, .tooManyRewinds: .syntax
            case .missingKey: .missingKey
            case .typeMismatch: issue.found == "null" ? .null : .wrongType
            case .outOfRange: .outOfRange
            case .unknownCase: .unknownCase
            case .duplicateKey: .duplicateKey
            default: .invalidValue
            }
    }
}
