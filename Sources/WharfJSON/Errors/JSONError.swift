/// Why a document could not be decoded, or a value not encoded: everything that is wrong, in the
/// order of the document.
///
/// ```
/// 2 errors
/// 3:14: shapes[2].attributes.length: expected a number, found the string "x"
///     {"type": "square", "attributes": {"length": "x"}}
///                                                 ^
/// …
/// ```
public struct JSONError: Error, Sendable, Hashable {
    /// Never empty.
    public let issues: [JSONIssue]
    /// How many more there were than ``JSONReadingOptions/maximumIssues``.
    public let omitted: Int

    /// - Parameter first: the one that stands for all in ``code``, ``message`` and ``location``.
    public init(_ first: JSONIssue, _ others: [JSONIssue] = [], omitted: Int = 0) {
        issues = [first] + others
        self.omitted = omitted
    }

    public var code: JSONIssue.Code { issues[0].code }
    public var path: JSONPath { issues[0].path }
    public var location: SourceLocation { issues[0].location }

    /// The first issue in one line, and how many more there are.
    public var message: String {
        let more = issues.count - 1 + omitted
        return issues[0].summary + (more == 0 ? "" : " (and \(more) more)")
    }
}

extension JSONError: CustomStringConvertible {
    /// Every issue with its excerpt: pieces of the document. For a log that must not have any, take
    /// ``JSONIssue/code``, ``JSONIssue/path`` and ``JSONIssue/location``.
    public var description: String {
        let count = issues.count + omitted
        return
            (["\(count) \(count == 1 ? "error" : "errors")"] + issues.map(\.description)
            + (omitted == 0 ? [] : ["and \(omitted) more"])).joined(separator: "\n")
    }
}
