/// The checks made on a payload beyond decoding it.
public struct CheckOptions: Sendable, Hashable {
    /// Whether to report faults that the type's decoder accepts.
    ///
    /// These are duplicate keys of an object, and text that is not JSON, such as trailing commas.
    public var isStrict: Bool
    /// Whether to report keys that no type reads.
    public var findsIgnoredKeys: Bool
    /// Whether to run the type again after the first error, to find the others.
    ///
    /// Stand-in values replace the values that failed.
    public var findsEveryError: Bool
    /// Whether to include the decoded value in the report, as `print` shows it.
    var printsValues = false
    /// See ``PayloadCheck/constants``.
    var constants: [String] = []

    /// Creates options; by default the check finds every error and is not strict.
    public init(isStrict: Bool = false, findsIgnoredKeys: Bool = false, findsEveryError: Bool = true) {
        self.isStrict = isStrict
        self.findsIgnoredKeys = findsIgnoredKeys
        self.findsEveryError = findsEveryError
    }

    /// Whether a document that decodes needs any further work.
    var concernGoodDocuments: Bool { isStrict || findsIgnoredKeys || printsValues }
}

/// The result of checking one document.
struct CheckedDocument: Sendable, Hashable {
    /// The findings in document order; broken rules come last.
    var findings: [Finding] = []
    /// The decoded value as text, if it was asked for and the document decodes.
    var printed: String?

    var hasErrors: Bool { findings.contains { $0.kind.isError } }
}
