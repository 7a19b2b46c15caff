/// Options for the generated types.
public struct GenerationOptions: Sendable {
    /// The way the types are coded.
    public enum Form: Sendable, Hashable, CaseIterable {
        /// `Codable`, without a dependency on Wharf.
        case codable
        /// `JSONCodable` of WharfJSON, in straight-line code.
        case direct
    }

    /// The access level of the generated declarations.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// The access levels that a generated declaration can have.
        case `internal`, package, `public`
    }

    /// The way the types are coded; `Codable` by default.
    public var form = Form.codable
    /// The access level of the declarations; internal by default.
    public var access = Access.internal
    /// Whether to add domain types without JSON.
    ///
    /// Mappings from and to the payloads are included.
    public var hasDomain = false
    /// Whether to add a repository of the domain types.
    public var hasRepository = false
    /// Whether to add a test that decodes, encodes and compares the samples.
    public var hasTests = false
    /// Whether to write final classes in place of structs.
    public var usesClasses = false
    /// Whether to write `var` in place of `let`.
    public var isMutable = false
    /// Whether the types conform to `Sendable`.
    public var isSendable = true
    /// The prefix of each type's name.
    public var prefix = ""
    /// The words that names write in capitals, as in `imageURL`.
    public var acronyms = Self.usualAcronyms
    /// The discriminator: the key that distinguishes the kinds of objects.
    ///
    /// Set it if the samples alone don't show it.
    public var discriminator: String?
    /// Whether objects of several kinds become an enumeration.
    ///
    /// The samples must show the kinds.
    public var findsUnions = true

    /// Creates the default options.
    public init() {}

    /// The acronyms that are written in capitals by default.
    public static let usualAcronyms = [
        "api", "css", "html", "http", "https", "id", "ip", "isbn", "json", "pdf", "sku", "sql", "uri", "url", "utc",
        "uuid",
        "xml",
    ]
}
