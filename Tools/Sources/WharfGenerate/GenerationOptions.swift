/// How the types are written that are made of samples.
public struct GenerationOptions: Sendable {
    public enum Form: Sendable, Hashable, CaseIterable {
        /// `Codable`, without anything of Wharf.
        case codable
        /// `JSONCodable` of WharfJSON, in straight-line code.
        case direct
    }

    public enum Access: String, Sendable, Hashable, CaseIterable {
        case `internal`, package, `public`
    }

    public var form = Form.codable
    public var access = Access.internal
    /// Values that know no JSON, with the way from what is sent and back.
    public var hasDomain = false
    /// A repository of these.
    public var hasRepository = false
    /// A test that decodes, encodes and compares.
    public var hasTests = false
    /// Final classes in place of structs.
    public var usesClasses = false
    /// `var` in place of `let`.
    public var isMutable = false
    public var isSendable = true
    /// Of each type's name.
    public var prefix = ""
    /// Words that are written in capitals: `imageURL`.
    public var acronyms = Self.usualAcronyms
    /// The key that tells the kinds of objects apart, where the samples alone don't show it.
    public var discriminator: String?
    /// Objects of several kinds become an enumeration, where the samples show it.
    public var findsUnions = true

    public init() {}

    public static let usualAcronyms = [
        "api", "css", "html", "http", "https", "id", "ip", "isbn", "json", "pdf", "sku", "sql", "uri", "url", "utc",
        "uuid",
        "xml",
    ]
}
