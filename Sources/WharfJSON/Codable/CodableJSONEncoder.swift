/// Encodes `Encodable` types as JSON as Foundation's `JSONEncoder` does, byte for byte where that
/// is the same each time.
///
/// Strategies and defaults have Foundation's names and meaning; those for dates, data, URLs and
/// decimals are in `WharfJSONFoundation`, and are in force as soon as that is linked, see
/// ``CodableJSONDecoder``. Without ``OutputFormatting/sortedKeys`` the keys come in the order in
/// which they were encoded, where Foundation's order is another one in each process.
public struct CodableJSONEncoder: Sendable {
    /// How the document is laid out. A ``JSONValue`` or ``UnknownElement`` in it stays as it is.
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A line for each value, indented by two blanks a level.
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        /// The keys of each object in the order of their UTF-8 bytes.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
        /// `/`, and not `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// What becomes of a type's key in the document.
    public enum KeyEncodingStrategy: Sendable {
        case useDefaultKeys
        /// `oneTwo` is written as `one_two`, `myURLProperty` as `my_url_property`.
        case convertToSnakeCase
        /// - Parameter codingPath: down to the key that is to be converted.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How infinite numbers and NaN are written, for which JSON has no form.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case `throw`
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    public var outputFormatting: OutputFormatting = []
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// What the encoded types find in their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// How deep arrays and objects may nest. Beyond it encoding fails, and does not crash. At most
    /// 1,000, and less where the types take so much of the stack that a thread has no room for it.
    public var maximumDepth = 512 { didSet { maximumDepth = JSONReadingOptions.depth(maximumDepth) } }
    /// In bytes.
    package var stackBudget = StackBudget.standard
    /// What other modules set, by the type of the setting.
    package var settings = CodableSettings()

    public init() {}

    /// - Throws: an `EncodingError`, or what a type's own `encode(to:)` throws.
    // Disfavoured, so that `encode` is one of `Data` where WharfJSONFoundation is imported and
    // nothing says which.
    @_disfavoredOverload public func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        let tree = EncodedTree(self)
        try tree.encode(root: value)
        if let misuse = tree.misuse { throw Self.unable(value, misuse) }
        guard tree.nodes[EncodedTree.root].kind != .pending else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [], debugDescription: "Top-level \(Value.self) did not encode any values."))
        }
        return tree.document()
    }

    static func unable(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "Unable to encode the given top-level value to JSON: \(reason)."))
    }
}
