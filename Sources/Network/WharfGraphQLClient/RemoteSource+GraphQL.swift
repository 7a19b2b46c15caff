public import WharfCore
public import WharfHTTP

extension RemoteSource {
    /// Returns a source whose models come from GraphQL queries.
    ///
    /// ```swift
    /// let films = RemoteSource<Film>.graphQL(client) { id in
    ///     .graphQL(get: filmQuery, variables: ["id": id])
    /// } mapping: { (answer: GraphQLResponse<FilmData>) in
    ///     try answer.complete().film.map(Film.init)
    /// }
    /// ```
    ///
    /// The HTTP cache stores the answer to a query by GET as its header fields allow. The store of
    /// a repository is independent of that.
    ///
    /// The mapping gets the data with the errors beside them, and decides about a partial answer.
    /// It may return a model with gaps. If it calls ``GraphQLResponse/complete()``, it throws
    /// instead, and the last complete model stays.
    ///
    /// - An answer without data is a failure, and the mapping is not called.
    /// - An error status is ``WharfCore/ReadFailure/Code/noData``, except 401 and 403. One URL
    ///   serves all models, so its 404 says nothing about a model, and stored models stay.
    ///
    /// - Parameter mapping: maps an answer to its model; nil if the service has none. That is
    ///   ``WharfCore/ReadFailure/Code/gone`` if the answer has no errors. Errors of the mapping
    ///   become ``WharfCore/ReadFailure/Code/unmappable``.
    public static func graphQL<Value>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?
    ) -> RemoteSource {
        let request = request(get, mapping)
        return RemoteSource { id, mode in
            await client.snapshot(request(id), mode: mode).model(id)
        }.storedThenNetwork { id in
            await client.storedThenNetwork(request(id)).map { $0.model(id) }
        }
    }

    /// Returns a source whose models and lists come from GraphQL queries.
    ///
    /// - Parameters:
    ///   - mapping: maps an answer to its model; nil if the service has none. That is
    ///     ``WharfCore/ReadFailure/Code/gone`` if the answer has no errors. Errors of the mapping
    ///     become ``WharfCore/ReadFailure/Code/unmappable``.
    ///   - listMapping: maps an answer to its models. Its errors become
    ///     ``WharfCore/ReadFailure/Code/unmappable``.
    public static func graphQL<Value, Values>(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?,
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<GraphQLResponse<Values>>,
        listMapping: @escaping @Sendable (GraphQLResponse<Values>) throws -> [Model]
    ) -> RemoteSource {
        let request = request(get, mapping)
        return RemoteSource { id, mode in
            await client.snapshot(request(id), mode: mode).model(id)
        } list: { query, mode in
            await client.snapshot(list(query).map(listMapping), mode: mode).tellingOfNoModel
        }.storedThenNetwork { id in
            await client.storedThenNetwork(request(id)).map { $0.model(id) }
        } list: { query in
            await client.storedThenNetwork(list(query).map(listMapping)).map(\.tellingOfNoModel)
        }
    }

    /// Returns the requests for models; nil is the answer if the service has no such model.
    private static func request<Value>(
        _ get: @escaping @Sendable (Model.ID) -> Request<GraphQLResponse<Value>>,
        _ mapping: @escaping @Sendable (GraphQLResponse<Value>) throws -> Model?
    ) -> @Sendable (Model.ID) -> Request<Model?> {
        { id in
            get(id).map { answer in
                if let model = try mapping(answer) { return Model?.some(model) }
                // A field that failed is null too. It must not count as a deleted model.
                _ = try answer.complete()
                return nil
            }
        }
    }
}

extension Snapshot {
    /// Returns the model of an answer; ``WharfCore/ReadFailure/Code/gone`` if there is none.
    fileprivate func model<Model: Identifiable>(_ id: Model.ID) -> Snapshot<Model> where Value == Model? {
        let answer = tellingOfNoModel
        guard let kept = answer.kept else { return Snapshot<Model>(kept: nil, error: answer.error) }
        guard let model = kept.value else {
            let gone = ReadFailure(
                .gone, message: "the service has no model with the id \(id)",
                response: kept.response)
            return Snapshot<Model>(kept: nil, error: answer.error ?? gone)
        }
        return Snapshot<Model>(kept: kept.with(model), error: answer.error)
    }
}

extension Snapshot {
    /// The same snapshot, with an error status as `noData`.
    ///
    /// All models share the service's one URL, so the status says nothing about a model, and stored
    /// models may be returned.
    fileprivate var tellingOfNoModel: Snapshot {
        // 401 and 403 concern the sign-in, and are passed on.
        guard let error, error.isAnswer, let status = error.response?.status, status != .unauthorized,
            status != .forbidden
        else { return self }
        let failure = ReadFailure(
            .noData, message: error.message, cause: error.cause, response: error.response, excerpt: error.excerpt,
            others: error.others)
        return Snapshot(kept: kept, error: failure)
    }
}
