/// What is looked for in a payload besides what its type refuses.
public struct CheckOptions: Sendable, Hashable {
    /// Also what the type's decoder lets pass: keys that an object has twice, and what is no JSON,
    /// such as trailing commas.
    public var isStrict: Bool
    /// Keys that no type reads.
    public var findsIgnoredKeys: Bool
    /// After the first error the type is run again, with values that stand in for what failed, to
    /// find the others.
    public var findsEveryError: Bool
    /// What the value looks like as `print` shows it.
    var printsValues = false
    /// See ``PayloadCheck/constants``.
    var constants: [String] = []

    public init(isStrict: Bool = false, findsIgnoredKeys: Bool = false, findsEveryError: Bool = true) {
        self.isStrict = isStrict
        self.findsIgnoredKeys = findsIgnoredKeys
        self.findsEveryError = findsEveryError
    }

    /// Whether there is something to say of a document that decodes.
    var concernGoodDocuments: Bool { isStrict || findsIgnoredKeys || printsValues }
}

/// What was found in one document.
struct CheckedDocument: Sendable, Hashable {
    /// In the order of the document; rules that it breaks come last.
    var findings: [Finding] = []
    /// The decoded value, where it was asked for and could be decoded.
    var printed: String?

    var hasErrors: Bool { findings.contains { $0.kind.isError } }
}
