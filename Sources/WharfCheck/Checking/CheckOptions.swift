/// What is looked for in a payload besides what its type refuses.
public struct CheckOptions: Sendable, Hashable, Codable {
    /// Also what the type lets pass: keys that an object has twice, and commas before the end of an array or object.
    public var isStrict = false
    /// Keys that no type reads.
    public var findsIgnoredKeys = false
    /// After the first error the type is run again, with values that stand in for what failed, to find the others.
    var findsEveryError = true
    /// What the value looks like as `print` shows it.
    var printsValues = false

    public init(isStrict: Bool = false, findsIgnoredKeys: Bool = false) {
        self.isStrict = isStrict
        self.findsIgnoredKeys = findsIgnoredKeys
    }
}

/// What was found in one document.
struct CheckedDocument: Sendable, Hashable {
    /// In the order of the document; rules that it breaks come last.
    var findings: [Finding] = []
    /// The decoded value, where it was asked for and could be decoded.
    var printed: String?

    var hasErrors: Bool { findings.contains { $0.kind.isError } }
}
