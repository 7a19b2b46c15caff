public import WharfJSON

/// One thing that is wrong with a payload, or worth a look, and where.
public struct Finding: Sendable, Hashable {
    public let kind: FindingKind
    /// To the value that is wrong, or that is missing; empty for the top of the document.
    public let path: JSONPath
    /// Of the value; for a missing key, of the object that lacks it. In the whole input, also where
    /// it has a document in each line.
    public let location: SourceLocation
    /// What would have been right and what stands there, as in `expected an array, found null`; or
    /// what a rule or the type says.
    public let message: String
    /// The piece of the line around the place, at most 72 characters; empty where there is none.
    public let excerpt: String
    /// How many characters of ``excerpt`` come before the place.
    public let caret: Int
    /// The type whose decoding ended here, because nothing could stand in for what is wrong: it may
    /// have found more.
    public internal(set) var hides: String?

    public init(
        kind: FindingKind, path: JSONPath, location: SourceLocation, message: String, excerpt: String = "",
        caret: Int = 0, hides: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.location = location
        self.message = message
        self.excerpt = excerpt
        self.caret = caret
        self.hides = hides
    }

    /// The path and the message, as they stand behind the place.
    var text: String { path.isEmpty ? message : "\(path): \(message)" }

    /// What says that there may be more.
    var hint: String? { hides.map { "further errors may be hidden in \($0)" } }
}

extension Finding {
    init(_ issue: JSONIssue) {
        self.init(
            kind: FindingKind(issue), path: issue.path, location: issue.location,
            message: "expected \(issue.expected), found \(issue.found)", excerpt: issue.excerpt, caret: issue.caret)
    }

    /// At the place of an issue, with other words.
    init(_ kind: FindingKind, at issue: JSONIssue, _ message: String, path: JSONPath? = nil) {
        self.init(
            kind: kind, path: path ?? issue.path, location: issue.location, message: message, excerpt: issue.excerpt,
            caret: issue.caret)
    }

    /// The same in an input that has other text before the document.
    ///
    /// - Parameter lines: how many lines come before.
    func moved(byBytes bytes: Int, lines: Int) -> Finding {
        guard bytes > 0 else { return self }
        let location = SourceLocation(
            offset: location.offset + bytes, line: location.line + lines, column: location.column)
        return Finding(
            kind: kind, path: path, location: location, message: message, excerpt: excerpt, caret: caret, hides: hides)
    }
}
