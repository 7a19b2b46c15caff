public import WharfCore

extension RemoteSource {
    /// Models from GraphQL queries.
    ///
    /// ```swift
    /// let films = RemoteSource<Film>.graphQL(client) { id in
    ///     .graphQL(get: filmQuery, variables: ["id": id])
    /// } mapping: { (answer: GraphQLResponse<FilmData>) in
    ///     try Film(answer.complete().film)
    /// }
    /// ```
    ///
    /// A query by GET is kept by the HTTP cache below as its answer allows; what a repository stores of it does not depend on that.
    /// The mapping sees the data with the errors beside them, and decides what a partial answer is worth: a model with gaps, or by
    /// ``GraphQLResponse/complete()`` none, so that the last whole one stays. An answer without data is a failure without being asked.
    ///
    /// - Parameter mapping: an answer to its model; what it throws becomes ``WharfCore/ReadFailure/Code/unmappable``.
    public static func graphQL<Value>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model
    ) -> RemoteSource {
        http(client, get: { id in get(id).map(mapping) })
    }

    /// Models from GraphQL queries, singly and as lists.
    ///
    /// - Parameters:
    ///   - mapping: an answer to its model; what it throws becomes ``WharfCore/ReadFailure/Code/unmappable``.
    ///   - listMapping: an answer to its models, likewise.
    public static func graphQL<Value, Values>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model,
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<GraphQLResponse<Values>>,
        listMapping: @escaping @Sendable (GraphQLResponse<Values>) throws -> [Model]
    ) -> RemoteSource {
        http(client, get: { id in get(id).map(mapping) }, list: { query in list(query).map(listMapping) })
    }
}
