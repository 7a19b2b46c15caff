import WharfJSON

/// Converts errors to findings.
///
/// A type may read another document, such as one inside a string, and rethrow that decoder's error.
/// The error's path means nothing in this document. So the error is reported at its path only if
/// the value there fits it.
extension Examiner {
    func findings(of error: any Error, in type: Any.Type, at node: JSONNodeDecoder) -> [Finding] {
        guard let error = error as? DecodingError else {
            if let error = error as? JSONError { return findings(of: error, in: type, at: node) }
            return [refusal("\(error)", by: type, at: node)]
        }
        let context = error.context
        if case .dataCorrupted = error, context.underlyingError == nil,
            // The message of the standard library.
            context.debugDescription.hasPrefix("Cannot initialize "), let expected = cases(of: type),
            node.kind != .object, node.kind != .array
        {
            return [Finding(node.issue(.unknownCase, expected: expected))]
        }
        if let cause = JSONError(behind: error) { return findings(of: cause, in: type, at: node) }
        let own = node.codingPath
        guard context.codingPath.starts(with: own, by: { $0.stringValue == $1.stringValue }) else {
            return [refusal(context.debugDescription, JSONPath(context.codingPath), by: type, at: node)]
        }
        guard let issue = JSONError(behind: node.located(error))?.issues.first else {
            return [Finding(.invalidValue, at: node.issue(.invalidValue, expected: ""), context.debugDescription)]
        }
        guard node.fits(error, issue) else {
            let path = JSONPath(Array(context.codingPath.dropFirst(own.count)))
            return [refusal(context.debugDescription, path, by: type, at: node)]
        }
        return [Finding(issue)]
    }

    private func findings(of error: JSONError, in type: Any.Type, at node: JSONNodeDecoder) -> [Finding] {
        error.issues.map { issue in
            guard !node.has(issue) else { return Finding(issue) }
            return refusal("expected \(issue.expected), found \(issue.found)", issue.path, by: type, at: node)
        }
    }

    /// - Parameter path: the path within the value that the type read.
    private func refusal(
        _ message: String, _ path: JSONPath = [], by type: Any.Type, at node: JSONNodeDecoder
    ) -> Finding {
        let place = path.isEmpty ? "" : "\(path): "
        let issue = node.issue(.invalidValue, expected: "another value")
        return Finding(.refused, at: issue, "\(type) refused it: \(place)\(message)")
    }

    private func cases(of type: Any.Type) -> String? {
        guard let type = type as? any RawRepresentable.Type else { return nil }
        return expectation(of: type)
    }
}

extension JSONNodeDecoder {
    private var path: JSONPath { issue(.invalidValue, expected: "").path }

    /// Whether an issue belongs to this document, at this value or below.
    fileprivate func has(_ issue: JSONIssue) -> Bool {
        let path = path
        guard issue.path.steps.starts(with: path.steps) else { return false }
        var below = issue.path.steps.dropFirst(path.steps.count)
        // The last step of such a path is the key that is not there.
        if issue.code == .missingKey { below = below.dropLast() }
        let place = value(at: JSONPath(Array(below))).issue(.invalidValue, expected: "")
        return place.location == issue.location && place.excerpt == issue.excerpt
    }

    /// Whether an error is true of the value at its path.
    ///
    /// - Parameter issue: an issue at that path, or at its last step that exists.
    fileprivate func fits(_ error: DecodingError, _ issue: JSONIssue) -> Bool {
        let value = value(at: JSONPath(Array(issue.path.steps.dropFirst(path.steps.count))))
        let missing = error.context.codingPath.count - issue.path.steps.count
        switch error {
        case .keyNotFound(let key, _):
            return missing == 0 && value.kind == .object && !value.keys().contains { $0.name == key.stringValue }
        case .typeMismatch(let type, _): return missing == 0 && value.kind != Self.kind(of: type)
        // After the end of an array there is no value either.
        case .valueNotFound: return missing == 0 ? value.kind == .null : missing == 1 && value.kind == .array
        default: return missing <= 1
        }
    }

    /// Returns the kind of JSON value that a type reads; nil if it is not known.
    private static func kind(of type: Any.Type) -> JSONKind? {
        switch type {
        case is String.Type: .string
        case is Bool.Type: .bool
        case is any Numeric.Type: .number
        case is [Any].Type: .array
        case is [String: Any].Type: .object
        default: nil
        }
    }
}

extension JSONPath {
    init(_ codingPath: [any CodingKey]) {
        self.init(codingPath.map { $0.intValue.map(Step.index) ?? .key($0.stringValue) })
    }
}
