public import WharfCore
public import WharfJSON

extension RemoteSource {
    /// Returns a source whose models come from requests of any shape.
    ///
    /// ```swift
    /// let source = RemoteSource<User>.http(client) { id in
    ///     .get("people/\(id)").map(User.init(person:))
    /// } list: { query in
    ///     .get("people", query: ["limit": query.rows.limit.map(String.init)]).map { $0.map(User.init(person:)) }
    /// }
    /// ```
    public static func http(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<Model>,
        list: (@Sendable (EntityQuery<Model>) -> Request<[Model]>)? = nil
    ) -> RemoteSource {
        let one: Get = { id, mode in await client.snapshot(get(id), mode: mode) }
        let oneOfBoth: GetStoredThenNetwork = { id in await client.storedThenNetwork(get(id)) }
        guard let list else { return RemoteSource(get: one).storedThenNetwork(get: oneOfBoth) }
        return RemoteSource(get: one) { query, mode in
            await client.snapshot(list(query), mode: mode)
        }.storedThenNetwork(get: oneOfBoth) { query in await client.storedThenNetwork(list(query)) }
    }

    /// Returns a source for the one value at an endpoint without ids, such as `/me`.
    public static func http<Value>(
        _ client: APIClient, singleton request: Request<Value>
    ) -> RemoteSource where Model == Singleton<Value> {
        .singleton { mode in await client.snapshot(request, mode: mode) }
    }

    /// Returns a source for a collection in the usual layout.
    ///
    /// The list is at `path`, each model one segment below it. An id goes into the path as its
    /// `description`: an integer, a string, a `UUID`. The query of a list is sent in the form of
    /// ``Query``. For a service with another form, use ``http(_:get:list:)``.
    ///
    /// - Parameter mapping: maps a payload to its model. Its errors become
    ///   ``ReadFailure/Code/unmappable``.
    @inlinable public static func http<Payload: JSONDecodable & Sendable>(
        _ client: APIClient, at path: RequestPath, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        http(
            client,
            get: { id in Request<Payload>.get(path.appending(segment: id)).map(mapping) },
            list: { query in Request<[Payload]>.get(path, query: Query(query.rows)).map { try $0.map(mapping) } }
        )
    }

    /// Returns a source for a collection whose payloads are `Decodable`.
    ///
    /// - Parameter json: the keys and dates of the payloads.
    @_disfavoredOverload public static func http<Payload: Decodable & Sendable>(
        _ client: APIClient, at path: RequestPath, payload: Payload.Type, json: CodableJSON = CodableJSON(),
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        http(
            client,
            get: { id in
                Request<Payload>.get(path.appending(segment: id), decoding: .json(as: json)).map(mapping)
            },
            list: { query in
                Request<[Payload]>.get(path, query: Query(query.rows), decoding: .json(as: json)).map {
                    try $0.map(mapping)
                }
            }
        )
    }
}
