public import WharfCore
public import WharfHTTP

/// The errors of an answer without complete data.
///
/// It is the cause of a ``WharfCore/ReadFailure``.
public struct GraphQLErrors: Error, Sendable {
    /// The errors that the service reports.
    public let errors: [GraphQLError]
    /// The decoding error of the answer's data; nil if the answer had no data.
    public let cause: (any Error)?

    /// Creates the error, for tests.
    public init(_ errors: [GraphQLError], cause: (any Error)? = nil) {
        self.errors = errors
        self.cause = cause
    }
}

extension GraphQLErrors: ReportedErrors {
    package var isEmpty: Bool { errors.isEmpty }

    public var description: String {
        let shown = errors.prefix(3).map(\.description).joined(separator: "; ")
        return errors.count > 3 ? "\(shown); and \(errors.count - 3) more" : shown
    }
}

extension ReadFailure {
    /// The errors that a GraphQL service reports; empty for a failure of another kind.
    ///
    /// | the answer | ``code`` |
    /// |---|---|
    /// | 2xx without data | ``Code/noData`` |
    /// | 2xx with data that don't decode, such as a null that the type does not expect | ``Code/undecodable`` |
    /// | another status, of the type `application/graphql-response+json` | ``Code/status`` |
    /// | data that a mapping refuses by ``GraphQLResponse/complete()`` | ``Code/unmappable`` |
    ///
    /// An answer with another status and the type `application/json` may come from an intermediary,
    /// so it is not read (GraphQL over HTTP, "Processing the response"). Its beginning is in
    /// ``excerpt``.
    public var graphQLErrors: [GraphQLError] { (cause as? GraphQLErrors)?.errors ?? [] }
}
