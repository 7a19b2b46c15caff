public import WharfCore
public import WharfJSON

/// Why a service has refused a request, in the form of RFC 9457 (`application/problem+json`).
///
/// ```swift
/// case .rejected(let failure): show(failure.problem?.title, failure.problem?["errors"])
/// ```
public struct ProblemDetails: Error, Hashable, Sendable {
    /// A URI that identifies the kind of the problem.
    public let type: String
    /// A short summary of the kind of the problem.
    public let title: String?
    /// The status, as the service that made the document has set it.
    public let status: Int?
    /// An explanation of this occurrence of the problem.
    public let detail: String?
    /// A URI that identifies this occurrence.
    public let instance: String?
    private let document: JSONValue

    /// An extension member of the document (RFC 9457 §3.2), such as a list of errors; nil if there
    /// is none of that name.
    public subscript(name: String) -> JSONValue? { document[name] }

    /// Reads a document. A member of another type than the RFC names is ignored (§3.1).
    ///
    /// - Returns: nil if the bytes are no JSON object.
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

    /// Reads the body of an answer that says that it has such a document.
    static let explanation: StatusExplanation = { body, head in ProblemDetails(body) }

    static func isIn(_ head: HTTPResponse) -> Bool {
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" }
        return type?.trimmingSpaces.lowercased() == "application/problem+json"
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// Title and detail, at most 500 characters of each.
    public var description: String {
        let parts = [title, detail].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? type : parts.map { String($0.prefix(500)) }.joined(separator: ": ")
    }
}

extension ReadFailure {
    /// The problem details of the service's answer; nil if it had none.
    public var problem: ProblemDetails? { cause as? ProblemDetails }
}

extension WriteFailure {
    /// The problem details of the service's answer; nil if it had none, and after a restart. The
    /// message has title and detail in each case.
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
