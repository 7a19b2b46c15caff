public import WharfJSON

/// An error that a server reports in its answer (GraphQL September 2025 §7.1.6).
public struct GraphQLError: Sendable, Hashable {
    /// A place in the document of the request.
    public struct Location: Sendable, Hashable {
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1.
        public let column: Int

        /// Creates a location.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The message, for developers. If the server omits it, the beginning of the error as JSON.
    public let message: String
    /// The places in the request's document that the error is about.
    public let locations: [Location]
    /// The path to the missing value; nil for an error of the whole request.
    ///
    /// Its keys are response names.
    public let path: JSONPath?
    /// Additions of the service, such as a code; an object by the specification.
    public let extensions: JSONValue?

    /// Creates an error, for tests.
    public init(
        message: String, locations: [Location] = [], path: JSONPath? = nil, extensions: JSONValue? = nil
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// The text under `code` in ``extensions``, a common convention: `UNAUTHENTICATED`.
    public var code: String? {
        guard case .string(let code)? = extensions?["code"]?.content else { return nil }
        return code
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The error with its path and code: `film.cast[2].name: not found (NOT_FOUND)`.
    public var description: String { "\(path.map { "\($0): " } ?? "")\(message)\(code.map { " (\($0))" } ?? "")" }
}

extension GraphQLError: JSONDecodable {
    /// Reads any JSON value.
    ///
    /// So one malformed error does not discard the data beside it. If there is no text under
    /// `message`, the message is the beginning of the value as JSON. A path with steps other than
    /// names and numbers is dropped, and so is a location without a line or a column.
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
    /// Reads response names and list indices; nil if a step is neither.
    fileprivate init?(reported steps: [JSONValue]) {
        let read = steps.compactMap { step -> Step? in
            step.text.map { .key($0) } ?? step.integer.map { .index($0) }
        }
        // A path with an unknown step would point to another value.
        guard read.count == steps.count else { return nil }
        self.init(read)
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = content { text } else { nil } }

    /// The first 200 characters: the value may hold whole traces, and the message is logged.
    fileprivate var beginning: String {
        let text = description
        return text.count > 200 ? text.prefix(200) + "…" : text
    }

    fileprivate var elements: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }

    fileprivate var integer: Int? { if case .number(let number) = content { number.integer() } else { nil } }
}
