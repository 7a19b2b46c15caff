import WharfJSON

/// What kind of fault a finding is; the identifier of its rule in SARIF. More may come, so a
/// `switch` needs a default.
public struct FindingKind: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    /// What it means, in one sentence.
    public let meaning: String
    /// The noun for counts, in the singular and plural.
    let counted: (one: String, many: String)
    /// False for what does not make a payload a wrong one.
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

    public static let syntax = FindingKind(
        "syntax", "The document breaks the grammar of JSON (RFC 8259).", "breach of the grammar",
        "breaches of the grammar")
    public static let missingKey = FindingKind(
        "missingKey", "An object lacks a key that the type needs.", "missing key", "missing keys")
    public static let null = FindingKind(
        "null", "A value is null that the type needs.", "null", "nulls")
    public static let wrongType = FindingKind(
        "wrongType", "A value is of another kind than the type reads.", "wrong type", "wrong types")
    public static let outOfRange = FindingKind(
        "outOfRange", "A number does not fit into the type.", "number out of range", "numbers out of range")
    public static let unknownCase = FindingKind(
        "unknownCase", "A value is none of an enumeration's cases.", "unknown case", "unknown cases")
    public static let invalidValue = FindingKind(
        "invalidValue", "A value of the right kind means nothing to the type.", "invalid value", "invalid values")
    public static let refused = FindingKind(
        "refused", "The type's own decoding threw an error of its own.", "refusal", "refusals")
    public static let rule = FindingKind("rule", "A rule does not hold.", "broken rule", "broken rules")
    public static let duplicateKey = FindingKind(
        "duplicateKey", "An object has a key twice (with --strict).", "duplicate key", "duplicate keys")
    public static let trailingComma = FindingKind(
        "trailingComma", "A comma stands before the end of an array or object (with --strict).", "trailing comma",
        "trailing commas")
    public static let crash = FindingKind(
        "crash", "The type's own decoding ended the process.", "crash", "crashes")
    public static let ignoredKey = FindingKind(
        "ignoredKey", "A key is there that the type never reads (with --ignored-keys).", "ignored key",
        "ignored keys", isError: false)

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
