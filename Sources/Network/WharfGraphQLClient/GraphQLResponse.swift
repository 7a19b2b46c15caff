public import WharfJSON

/// The answer to a GraphQL operation: data, and errors about missing parts.
///
/// It has the form of GraphQL September 2025 §7.1.
///
/// ```swift
/// let answer = try await client.fetch(request).value
/// show(answer.data.film)
/// for error in answer.errors { log(error) }        // film.cast: timed out
/// ```
///
/// A failed field is null in the data, so give it an optional type if the rest is useful without
/// it. An answer without any data is a failure of the read, with the errors in
/// ``WharfCore/ReadFailure/graphQLErrors``.
public struct GraphQLResponse<Value: Sendable>: Sendable {
    /// The data; null for each failed field.
    public let data: Value
    /// The errors of failed fields; empty if the data is complete.
    public let errors: [GraphQLError]
    /// Additions of the service; an object.
    public let extensions: JSONValue?

    /// Creates an answer, for tests.
    public init(data: Value, errors: [GraphQLError] = [], extensions: JSONValue? = nil) {
        self.data = data
        self.errors = errors
        self.extensions = extensions
    }

    /// Returns the data if it is complete.
    ///
    /// Use it for models that must not lose values of an earlier answer.
    ///
    /// - Throws: the errors, if there are any.
    public func complete() throws(GraphQLErrors) -> Value {
        guard errors.isEmpty else { throw GraphQLErrors(errors) }
        return data
    }
}

extension GraphQLResponse: Equatable where Value: Equatable {}
extension GraphQLResponse: Hashable where Value: Hashable {}
