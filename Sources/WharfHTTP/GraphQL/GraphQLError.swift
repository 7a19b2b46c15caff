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

    /// For developers. The beginning of the error as JSON where it has none, which the
    /// specification wants.
    public let message: String
    public let locations: [Location]
    /// To the value of the answer that is missing, by response names; nil for an error of the
    /// request as a whole.
    public let path: JSONPath?
    /// What the service adds, such as a code; by the specification an object.
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
    /// Reads any JSON: that one error is not as §7.1.6 wants it is no reason to refuse the data
    /// beside it.
    ///
    /// Where there is no text under `message`, the message is the beginning of the whole as JSON. A
    /// path of other things than names and numbers is left out, and so are places without a line or
    /// a column.
    public static func decode(from json: inout JSONReader) -> GraphQLError? {
        JSONValue.decode(from: &json).map(GraphQLError.init(reported:))
    }

    init(reported value: JSONValue) {
        self.init(
            message: value["message"]?.text ?? value.text ?? value.beginning,
            locations: value["locations"]?.elements?.compactMap(Location.init(reported:)) ?? [],
            path: value["path"]?.elements.flatMap(JSONPath.init(reported:)),
            extensions: value["extensions"].flatMap { if case .null = $0.content { nil } else { $0 } })
    }
}

extension GraphQLError.Location {
    fileprivate init?(reported value: JSONValue) {
        guard let line = value["line"]?.integer, let column = value["column"]?.integer else { return nil }
        self.init(line: line, column: column)
    }
}

extension JSONPath {
    /// Response names, and places in lists; nil where a step is neither.
    fileprivate init?(reported steps: [JSONValue]) {
        let read = steps.compactMap { step -> Step? in
            step.text.map { .key($0) } ?? step.integer.map { .index($0) }
        }
        guard read.count == steps.count else { return nil }
        self.init(read)
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = content { text } else { nil } }

    /// Whole traces may stand in it, and this goes into logs.
    fileprivate var beginning: String {
        let text = description
        return text.count > 200 ? text.prefix(200) + "…" : text
    }

    fileprivate var elements: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }

    fileprivate var integer: Int? { if case .number(let number) = content { number.integer() } else { nil } }
}
