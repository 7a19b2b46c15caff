/// Encodes `Encodable` types as JSON, as Foundation's `JSONEncoder` does.
///
/// The bytes are the same wherever Foundation's output is deterministic.
///
/// Strategies and defaults have Foundation's names and meaning. Those for dates, data, URLs and
/// decimals are in `WharfJSONFoundation`, and take effect when that module is linked: see
/// ``CodableJSONDecoder``. Without ``OutputFormatting/sortedKeys`` the keys come in the order in
/// which they were encoded. Foundation's order differs in each process.
public struct CodableJSONEncoder: Sendable {
    /// The layout of the document. A ``JSONValue`` or ``UnknownElement`` in it stays as it is.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The set as bits.
        public let rawValue: UInt
        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One line per value, indented by two blanks per level.
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        /// The keys of each object in the order of their UTF-8 bytes.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)
        /// Slashes as `/`, without this option as `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// The conversion of a type's key to the document's key.
    public enum KeyEncodingStrategy: Sendable {
        /// The keys stay as they are.
        case useDefaultKeys
        /// `oneTwo` is written as `one_two`, `myURLProperty` as `my_url_property`.
        case convertToSnakeCase
        /// The result of a closure.
        ///
        /// - Parameter codingPath: the path down to the key to convert.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The way infinite numbers and NaN are written, which JSON can't express.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// They are an error.
        case `throw`
        /// They are written as these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The layout of the document; compact by default.
    public var outputFormatting: OutputFormatting = []
    /// The conversion of the types' keys; none by default.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    /// The way infinite numbers and NaN are written; an error by default.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// The `userInfo` of the encoder that the types get.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The maximum nesting of arrays and objects: 512 by default, 1,000 at most.
    ///
    /// Beyond it encoding fails, and does not crash. Fewer levels are possible if the types need
    /// more stack than the thread has.
    public var maximumDepth = 512 { didSet { maximumDepth = JSONReadingOptions.depth(maximumDepth) } }
    /// The stack that encoding may use, in bytes.
    package var stackBudget = StackBudget.standard
    /// The settings of other modules, by their types.
    package var settings = CodableSettings()

    /// Creates an encoder with Foundation's defaults.
    public init() {}

    /// Returns the value as a JSON document.
    ///
    /// - Throws: an `EncodingError`, or an error that a type's own `encode(to:)` throws.
    // Disfavoured, so that with WharfJSONFoundation a call without a type context returns `Data`.
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
