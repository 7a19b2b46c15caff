public import WharfJSON

/// What a service answers to an operation: the data, and beside it why parts of it are missing
/// (September 2025 §7.1).
///
/// ```swift
/// let answer = try await client.fetch(request).value
/// show(answer.data.film)
/// for error in answer.errors { log(error) }        // film.cast: timed out
/// ```
///
/// A field that failed is null in the data, so give it an optional type where the rest is of use
/// without it. An answer without any data is no value: it is the failure of the read, with its
/// errors in ``WharfCore/ReadFailure/graphQLErrors``.
public struct GraphQLResponse<Value: Sendable>: Sendable {
    public let data: Value
    /// Empty where all of the data is there.
    public let errors: [GraphQLError]
    /// What the service adds; an object.
    public let extensions: JSONValue?

    public init(data: Value, errors: [GraphQLError] = [], extensions: JSONValue? = nil) {
        self.data = data
        self.errors = errors
        self.extensions = extensions
    }

    /// The data, where all of it is there: for models that must not lose what an earlier answer
    /// had.
    ///
    /// - Throws: the errors, if there are any.
    public func complete() throws(GraphQLErrors) -> Value {
        guard errors.isEmpty else { throw GraphQLErrors(errors) }
        return data
    }
}

extension GraphQLResponse: Equatable where Value: Equatable {}
extension GraphQLResponse: Hashable where Value: Hashable {}
