public import WharfJSON

/// A fault or a remark about a payload, with its place.
public struct Finding: Sendable, Hashable {
    /// The kind of fault.
    public let kind: FindingKind
    /// The path to the wrong or missing value; empty for the top of the document.
    public let path: JSONPath
    /// The place of the value, or of the object that lacks a key.
    ///
    /// It counts from the start of the input, even if each line is a document.
    public let location: SourceLocation
    /// The expected and the found value, as in `expected an array, found null`.
    ///
    /// For rules and refusals it is the text of the rule or type.
    public let message: String
    /// The part of the line around the place; can be empty.
    public let excerpt: SourceExcerpt
    /// The type whose decoding ended here, so that later errors are not found.
    ///
    /// Nil if a stand-in let the type go on.
    public internal(set) var hides: String?

    /// Creates a finding.
    public init(
        kind: FindingKind, path: JSONPath, location: SourceLocation, message: String,
        excerpt: SourceExcerpt = SourceExcerpt(), hides: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.location = location
        self.message = message
        self.excerpt = excerpt
        self.hides = hides
    }

    /// The path and the message, as reports print them after the place.
    var text: String { path.isEmpty ? message : "\(path): \(message)" }

    /// The remark that there may be more errors; nil if there are none hidden.
    var hint: String? { hides.map { "further errors may be hidden in \($0)" } }
}

extension Finding {
    init(_ issue: JSONIssue) {
        self.init(
            kind: FindingKind(issue), path: issue.path, location: issue.location,
            message: "expected \(issue.expected), found \(issue.found)", excerpt: issue.excerpt)
    }

    /// Creates a finding at the place of an issue, with another message.
    init(_ kind: FindingKind, at issue: JSONIssue, _ message: String, path: JSONPath? = nil) {
        self.init(
            kind: kind, path: path ?? issue.path, location: issue.location, message: message, excerpt: issue.excerpt)
    }

    /// Returns the finding for an input that has other text before the document.
    ///
    /// - Parameter lines: the number of lines before the document.
    func moved(byBytes bytes: Int, lines: Int) -> Finding {
        guard bytes > 0 else { return self }
        let location = SourceLocation(
            offset: location.offset + bytes, line: location.line + lines, column: location.column)
        return Finding(
            kind: kind, path: path, location: location, message: message, excerpt: excerpt, hides: hides)
    }
}
