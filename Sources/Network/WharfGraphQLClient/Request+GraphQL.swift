public import WharfCore
public import WharfGraphQL
public import WharfHTTP
public import WharfJSON

// `JSONEncodable` variables are encoded directly, others through `Codable`. The `Codable` variants
// take an optional, for values with both conformances: overload resolution then prefers the direct
// variant, which needs no promotion to an optional.

extension Request {
    /// Returns a query or a mutation by POST.
    ///
    /// ```swift
    /// let request: Request<GraphQLResponse<FilmData>> = .graphQL(post: films, operation: "Film", variables: ["id": id])
    /// ```
    ///
    /// A query counts as idempotent, so ``RetryMiddleware`` may send it again. The read fails with
    /// ``WharfCore/ReadFailure/Code/invalidRequest`` if the document can't be printed, the
    /// variables can't be encoded, or the operation is missing or a subscription.
    ///
    /// - Parameters:
    ///   - document: is sent whole, in its compact form.
    ///   - operation: the name of the operation to run; nil if the document has only one.
    ///   - variables: a value that encodes as an object.
    public static func graphQL<Value: JSONDecodable, Variables: JSONEncodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// Returns a query by GET, so that caches can store its answer.
    ///
    /// The query is part of the URL. Some servers refuse the long URLs of long documents.
    ///
    /// ```swift
    /// let request: Request<GraphQLResponse<FilmData>> = .graphQL(get: film, variables: ["id": id])
    /// ```
    ///
    /// The read fails with ``WharfCore/ReadFailure/Code/invalidRequest`` if the document can't be
    /// printed, the variables can't be encoded, or the operation is missing or no query.
    ///
    /// - Parameters:
    ///   - document: is sent whole, in its compact form.
    ///   - operation: the name of the operation to run; nil if the document has only one.
    ///   - variables: a value that encodes as an object.
    public static func graphQL<Value: JSONDecodable, Variables: JSONEncodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }

    /// Returns an operation by POST whose variables are encoded through `Codable`.
    public static func graphQL<Value: JSONDecodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// Returns a query by GET whose variables are encoded through `Codable`.
    public static func graphQL<Value: JSONDecodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }
}

// For data that are not `JSONDecodable`.
extension Request {
    /// Returns an operation by POST whose data is read through `Codable`.
    @_disfavoredOverload public static func graphQL<Value: Decodable, Variables: JSONEncodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// Returns a query by GET whose data is read through `Codable`.
    @_disfavoredOverload public static func graphQL<Value: Decodable, Variables: JSONEncodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }

    /// Returns an operation by POST whose variables and data go through `Codable`.
    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// Returns a query by GET whose variables and data go through `Codable`.
    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }
}
