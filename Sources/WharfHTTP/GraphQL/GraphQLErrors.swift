public import WharfCore

/// Why there are no data, or not all: the cause of the ``WharfCore/ReadFailure`` then.
public struct GraphQLErrors: Error, Sendable {
    /// As the service reports them.
    public let errors: [GraphQLError]
    /// Why the data that came along could not be decoded; nil where none came.
    public let cause: (any Error)?

    public init(_ errors: [GraphQLError], cause: (any Error)? = nil) {
        self.errors = errors
        self.cause = cause
    }
}

extension GraphQLErrors: CustomStringConvertible {
    public var description: String {
        let shown = errors.prefix(3).map(\.description).joined(separator: "; ")
        return errors.count > 3 ? "\(shown); and \(errors.count - 3) more" : shown
    }
}

extension ReadFailure {
    /// What a GraphQL service reports; empty for a failure of another kind.
    ///
    /// | the answer | ``code`` |
    /// |---|---|
    /// | 2xx without data | ``Code/noData`` |
    /// | 2xx with data that don't decode, such as a null that the type does not expect | ``Code/undecodable`` |
    /// | another status, of the type `application/graphql-response+json` | ``Code/status`` |
    /// | data that a mapping refuses by ``GraphQLResponse/complete()`` | ``Code/unmappable`` |
    ///
    /// An answer of the type `application/json` with another status may come from anybody on the
    /// way, so it is not read (GraphQL over HTTP, "Processing the response"); its beginning is in
    /// ``excerpt``.
    public var graphQLErrors: [GraphQLError] { (cause as? GraphQLErrors)?.errors ?? [] }
}
