/// All errors found in decoding a document or encoding a value.
///
/// They are in document order:
///
/// ```
/// 2 errors
/// 3:14: shapes[2].attributes.length: expected a number, found the string "x"
///     {"type": "square", "attributes": {"length": "x"}}
///                                                 ^
/// …
/// ```
public struct JSONError: CodedError, Sendable, Hashable {
    /// The errors; never empty.
    public let issues: [JSONIssue]
    /// The number of errors beyond ``JSONReadingOptions/maximumIssues``.
    public let omitted: Int

    /// Creates an error from its issues.
    ///
    /// - Parameter first: the issue that gives ``code``, ``path`` and ``location``.
    public init(_ first: JSONIssue, _ others: [JSONIssue] = [], omitted: Int = 0) {
        issues = [first] + others
        self.omitted = omitted
    }

    /// The kind of the first issue.
    public var code: JSONIssue.Code { issues[0].code }
    /// The path of the first issue.
    public var path: JSONPath { issues[0].path }
    /// The place of the first issue.
    public var location: SourceLocation { issues[0].location }

    /// The first issue in one line, and the number of further ones.
    public var message: String {
        let more = issues.count - 1 + omitted
        return issues[0].summary + (more == 0 ? "" : " (and \(more) more)")
    }
}

extension JSONError {
    /// All issues with excerpts of the document.
    ///
    /// For a log that must not contain any of the document, use ``JSONIssue/code``,
    /// ``JSONIssue/path`` and ``JSONIssue/location``.
    public var description: String {
        let count = issues.count + omitted
        return
            (["\(count) \(count == 1 ? "error" : "errors")"] + issues.map(\.description)
            + (omitted == 0 ? [] : ["and \(omitted) more"])).joined(separator: "\n")
    }
}
