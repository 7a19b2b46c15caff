public import WharfCore
public import WharfGraphQL
public import WharfJSON

// Variables that are `JSONEncodable` are written directly, others by `Codable`. Those are taken as
// an optional, because a value that is both then goes to the function that takes it as it is.

extension Request {
    /// An operation by POST: a query or a mutation.
    ///
    /// ```swift
    /// let request: Request<GraphQLResponse<FilmData>> = .graphQL(post: films, operation: "Film", variables: ["id": id])
    /// ```
    ///
    /// A query counts as idempotent: ``RetryMiddleware`` sends it again. What can't be printed or
    /// encoded, and an operation that is not there or is a subscription, is the failure of the
    /// read: ``WharfCore/ReadFailure/Code/invalidRequest``.
    ///
    /// - Parameters:
    ///   - document: is sent whole, in its compact form.
    ///   - operation: the name of the one to run; nil where the document has a single one.
    ///   - variables: encode as an object.
    public static func graphQL<Value: JSONDecodable, Variables: JSONEncodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// A query by GET, so that caches can keep its answer: it stands in the URL, which for long
    /// documents some servers refuse.
    ///
    /// ```swift
    /// let request: Request<GraphQLResponse<FilmData>> = .graphQL(get: film, variables: ["id": id])
    /// ```
    ///
    /// What can't be printed or encoded, and an operation that is not there or is no query, is the
    /// failure of the read: ``WharfCore/ReadFailure/Code/invalidRequest``.
    ///
    /// - Parameters:
    ///   - document: is sent whole, in its compact form.
    ///   - operation: the name of the one to run; nil where the document has a single one.
    ///   - variables: encode as an object.
    public static func graphQL<Value: JSONDecodable, Variables: JSONEncodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }

    /// An operation by POST, its variables through `Codable`.
    public static func graphQL<Value: JSONDecodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    /// A query by GET, its variables through `Codable`.
    public static func graphQL<Value: JSONDecodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }
}

// For data that are not `JSONDecodable`.
extension Request {
    @_disfavoredOverload public static func graphQL<Value: Decodable, Variables: JSONEncodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    @_disfavoredOverload public static func graphQL<Value: Decodable, Variables: JSONEncodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: Variables = [:] as JSONValue,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }

    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        post document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .post, path, fields, .graphQL())
    }

    @_disfavoredOverload public static func graphQL<Value: Decodable>(
        get document: GraphQLDocument, operation: String? = nil, variables: (some Encodable)?,
        at path: RequestPath = "graphql", fields: HTTPFields = [:]
    ) -> Request where Payload == GraphQLResponse<Value> {
        Request(GraphQLMessage(document, operation, variables), .get, path, fields, .graphQL())
    }
}
