public import WharfJSON

/// One of the errors that a server reports in its answer (September 2025 §7.1.6).
public struct GraphQLError: Sendable, Hashable {
    /// A place in the document that was sent.
    public struct Location: Sendable, Hashable {
        /// From 1.
        public let line: Int
        /// From 1.
        public let column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// For developers.
    public let message: String
    public let locations: [Location]
    /// To the value of the answer that is missing, by response names; nil for an error of the request as a whole.
    public let path: JSONPath?
    /// What the service adds, such as a code; an object.
    public let extensions: JSONValue?

    public init(
        message: String, locations: [Location] = [], path: JSONPath? = nil, extensions: JSONValue? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// The text under `code` in ``extensions``, where most services have one: `UNAUTHENTICATED`.
    public var code: String? {
        guard case .string(let code)? = extensions?["code"]?.content else { return nil }
        return code
    }
}

extension GraphQLError: CustomStringConvertible {
    /// `film.cast[2].name: not found (NOT_FOUND)`.
    public var description: String { "\(path.map { "\($0): " } ?? "")\(message)\(code.map { " (\($0))" } ?? "")" }
}

extension GraphQLError: JSONDecodable {
    public static func decode(from json: inout JSONReader) -> GraphQLError? {
        guard var fields = json.beginObject() else { return nil }
        var message: String?
        var locations: [Location]?
        var path: JSONPath?
        var extensions: JSONValue?
        repeat {
            json.read("message", 0, into: &message, &fields)
            json.readUnlessNull("locations", 1, &fields) { locations = [Location].decode(from: &$0) }
            json.readUnlessNull("path", 2, &fields) {
                path = [PathStep].decode(from: &$0).map { JSONPath($0.map(\.step)) }
            }
            json.readUnlessNull("extensions", 3, &fields) { extensions = JSONValue.decode(from: &$0) }
        } while json.next(&fields)
        guard let message else { return json.incomplete(fields, required: [(0, "message")]) }
        return GraphQLError(message: message, locations: locations ?? [], path: path, extensions: extensions)
    }
}

extension GraphQLError.Location: JSONDecodable {
    public static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var line: Int?
        var column: Int?
        repeat {
            json.read("line", 0, into: &line, &fields)
            json.read("column", 1, into: &column, &fields)
        } while json.next(&fields)
        guard let line, let column else { return json.incomplete(fields, required: [(0, "line"), (1, "column")]) }
        return Self(line: line, column: column)
    }
}

/// A response name, or the place in a list.
private struct PathStep: JSONDecodable {
    let step: JSONPath.Step

    static func decode(from json: inout JSONReader) -> PathStep? {
        json.kind == .number
            ? Int.decode(from: &json).map { PathStep(step: .index($0)) }
            : String.decode(from: &json).map { PathStep(step: .key($0)) }
    }
}

extension JSONReader {
    /// Reads the value of a key that may be there and null: some servers write so what they could leave out.
    mutating func readUnlessNull(
        _ key: StaticString, _ index: Int, _ fields: inout JSONFields, _ read: (inout JSONReader) -> Void
    ) {
        guard self.key(key, index, &fields) else { return }
        if !null() { read(&self) }
        endField(&fields)
    }
}
