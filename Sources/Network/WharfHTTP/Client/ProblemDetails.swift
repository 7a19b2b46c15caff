public import WharfCore
public import WharfJSON

/// The reason for a refused request, as `application/problem+json` (RFC 9457).
///
/// ```swift
/// case .rejected(let failure): show(failure.problem?.title, failure.problem?["errors"])
/// ```
public struct ProblemDetails: Error, Hashable, Sendable {
    /// A URI that identifies the kind of the problem.
    public let type: String
    /// A short summary of the kind of the problem.
    public let title: String?
    /// The status that the service wrote into the document.
    public let status: Int?
    /// An explanation of this occurrence of the problem.
    public let detail: String?
    /// A URI that identifies this occurrence.
    public let instance: String?
    private let document: JSONValue

    /// An extension member of the document, such as a list of errors (RFC 9457 §3.2).
    ///
    /// It is nil if the document has no member of that name.
    public subscript(name: String) -> JSONValue? { document[name] }

    /// Reads a document. Members of a wrong type are ignored (RFC 9457 §3.1).
    ///
    /// - Returns: nil if the bytes are not a JSON object.
    init?(_ bytes: [UInt8]) {
        do {
            document = try JSON.decode(JSONValue.self, from: JSONBytes(bytes))
        } catch {
            return nil
        }
        guard case .object = document.content else { return nil }
        type = document.text("type") ?? "about:blank"
        title = document.text("title")
        detail = document.text("detail")
        instance = document.text("instance")
        status = if case .number(let number)? = document["status"]?.content { Int(number.text) } else { nil }
    }

    /// Reads the body of a response whose media type is that of RFC 9457.
    static let explanation: StatusExplanation = { body, head in ProblemDetails(body) }

    static func isIn(_ head: HTTPResponse) -> Bool {
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" }
        return type?.trimmingSpaces.lowercased() == "application/problem+json"
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// The title and the detail, at most 500 characters of each.
    public var description: String {
        let parts = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? type : parts.map { String($0.prefix(500)) }.joined(separator: ": ")
    }
}

extension ReadFailure {
    /// The problem details of the service's response; nil if it had none.
    public var problem: ProblemDetails? { cause as? ProblemDetails }
}

extension WriteFailure {
    /// The problem details of the service's response; nil if it had none.
    ///
    /// They are nil after a restart too. The failure's message has title and detail in each case.
    public var problem: ProblemDetails? { (cause as? ReadFailure)?.problem }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name]?.content else { return nil }
        return text
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        return rest
    }
}
