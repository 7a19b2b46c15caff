public import WharfCore
public import WharfJSON

extension RemoteSource {
    /// Models from requests of any shape.
    ///
    /// ```swift
    /// let source = RemoteSource<User>.http(client, get: { .get("people/\($0)").map(User.init(person:)) })
    /// ```
    public static func http(
        _ client: APIClient, get: @escaping @Sendable (Model.ID) -> Request<Model>, list: Request<[Model]>? = nil
    ) -> RemoteSource {
        let one: Get = { id, mode in await client.snapshot(get(id), mode: mode) }
        guard let list else { return RemoteSource(get: one) }
        let all: List = { mode in await client.snapshot(list, mode: mode) }
        return RemoteSource(get: one, list: all)
    }

    /// Models of a collection in the usual layout: the list at `path`, each model one segment below it.
    ///
    /// An id goes into the path as its `description`: an integer, a string, a `UUID`.
    ///
    /// - Parameter mapping: a payload to its model; what it throws becomes ``ReadFailure/Code/unmappable``.
    @inlinable public static func http<Payload: JSONDecodable & Sendable>(
        _ client: APIClient, at path: RequestPath, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        http(
            client,
            get: { id in Request<Payload>.get(path.appending(segment: id)).map(mapping) },
            list: Request<[Payload]>.get(path).map { try $0.map(mapping) }
        )
    }

    /// The same for payloads that are not `JSONDecodable`.
    @_disfavoredOverload public static func http<Payload: Decodable & Sendable>(
        _ client: APIClient, at path: RequestPath, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        http(
            client,
            get: { id in Request<Payload>.get(path.appending(segment: id)).map(mapping) },
            list: Request<[Payload]>.get(path).map { try $0.map(mapping) }
        )
    }
}
