public import WharfCore

extension RemoteSource {
    /// Models from GraphQL queries.
    ///
    /// ```swift
    /// let films = RemoteSource<Film>.graphQL(client) { id in
    ///     .graphQL(get: filmQuery, variables: ["id": id])
    /// } mapping: { (answer: GraphQLResponse<FilmData>) in
    ///     try answer.complete().film.map(Film.init)
    /// }
    /// ```
    ///
    /// A query by GET is kept by the HTTP cache below as its answer allows; what a repository
    /// stores of it does not depend on that. The mapping sees the data with the errors beside them,
    /// and decides what a partial answer is worth: a model with gaps, or by
    /// ``GraphQLResponse/complete()`` none, so that the last whole one stays. An answer without
    /// data is a failure without being asked, and so is an error status: as one URL serves all
    /// models, its 404 tells of none of them, and the last known ones stay
    /// (``WharfCore/ReadFailure/Code/noData``), but for 401 and 403.
    ///
    /// - Parameter mapping: an answer to its model; nil where the service has none, which is
    ///   ``WharfCore/ReadFailure/Code/gone`` unless errors stand beside it. What it throws becomes
    ///   ``WharfCore/ReadFailure/Code/unmappable``.
    public static func graphQL<Value>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?
    ) -> RemoteSource {
        RemoteSource(get: one(client, get, mapping))
    }

    /// Models from GraphQL queries, singly and as lists.
    ///
    /// - Parameters:
    ///   - mapping: an answer to its model; nil where the service has none, which is
    ///     ``WharfCore/ReadFailure/Code/gone`` unless errors stand beside it. What it throws
    ///     becomes ``WharfCore/ReadFailure/Code/unmappable``.
    ///   - listMapping: an answer to its models, likewise.
    public static func graphQL<Value, Values>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?,
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<GraphQLResponse<Values>>,
        listMapping: @escaping @Sendable (GraphQLResponse<Values>) throws -> [Model]
    ) -> RemoteSource {
        RemoteSource(get: one(client, get, mapping)) { query, mode in
            await client.snapshot(list(query).map(listMapping), mode: mode).tellingOfNoModel
        }
    }

    private static func one<Value>(
        _ client: APIClient, _ get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        _ mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?
    ) -> Get {
        { id, mode in
            let request = get(id).map { answer in
                if let model = try mapping(answer) { return Model?.some(model) }
                // A field that failed is null, too.
                _ = try answer.complete()
                return nil
            }
            let answer = await client.snapshot(request, mode: mode).tellingOfNoModel
            guard let kept = answer.kept else { return Snapshot(kept: nil, error: answer.error) }
            guard let model = kept.value else {
                let gone = ReadFailure(
                    .gone, message: "expected a model with the id \(id), found that the service has none",
                    response: kept.response)
                return Snapshot(kept: nil, error: answer.error ?? gone)
            }
            return Snapshot(kept: kept.with(model), error: answer.error)
        }
    }
}

extension Snapshot {
    /// An error status is of the service's one URL, and no answer about a model: what is kept of
    /// that may stand in.
    fileprivate var tellingOfNoModel: Snapshot {
        guard let error, error.isAnswer, let status = error.response?.status, status != .unauthorized,
            status != .forbidden
        else { return self }
        let failure = ReadFailure(
            .noData, message: error.message, cause: error.cause, response: error.response, excerpt: error.excerpt,
            others: error.others)
        return Snapshot(kept: kept, error: failure)
    }
}
