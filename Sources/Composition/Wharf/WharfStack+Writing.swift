public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

extension WharfStack {
    /// Returns a repository that reads and writes the models at a path.
    ///
    /// ```swift
    /// let notes = stack.repository(at: "notes", payload: NotePayload.self) { Note($0) } payloadOf: { NotePayload($0) }
    /// try await notes.edit(id) { $0.isDone = true }
    /// ```
    ///
    /// It keeps the models in ``entities``, in the form of their payloads. It reads by GET. POST to
    /// `path` adds. PUT (or PATCH) and DELETE to the path of a model edit and delete it, with
    /// `If-Match` if an entity tag is known. Keep the repository. Calls with the same path share
    /// it, as for reading alone. For indexes and a lifetime, use the form with an
    /// ``/WharfCore/EntityKind``.
    ///
    /// - Parameters:
    ///   - path: also the name of the kind in the store.
    ///   - method: the method of edits. If several calls share a repository, that of the first call
    ///     is used.
    ///   - mapping: makes the model from a payload; its error becomes
    ///     ``ReadFailure/Code/unmappable``.
    ///   - payloadOf: makes the payload from a model; its error becomes
    ///     ``WriteFailure/Code/unencodable``.
    @inlinable
    public func repository<
        Payload: JSONDecodable & JSONEncodable & Sendable, Model: Identifiable & Sendable
    >(
        at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        let kind = EntityKind(path.encoded, codec: Codec<Payload>.json.map(to: mapping, from: payloadOf))
        return repository(
            kind, at: path, editing: method, payload: payload, mapping: mapping, payloadOf: payloadOf)
    }

    /// Returns the same repository for payloads that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the payloads. If several calls share a repository,
    ///   those of the first call are used.
    @_disfavoredOverload public func repository<Payload: Codable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        json: CodableJSON = CodableJSON(), mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        let kind = EntityKind(path.encoded, codec: Codec<Payload>.json(as: json).map(to: mapping, from: payloadOf))
        return repository(
            kind, at: path, editing: method, payload: payload, json: json, mapping: mapping, payloadOf: payloadOf)
    }

    /// Returns the same repository, with a kind that sets the form of the models in the store.
    @inlinable
    public func repository<
        Payload: JSONDecodable & JSONEncodable & Sendable, Model: Identifiable & Sendable
    >(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload, kind: kind.name, isWriting: true) {
            repository(
                kind, .http(client, at: path, editing: method, payload: payload, mapping: mapping, payloadOf: payloadOf)
            )
        }
    }

    /// Returns the same repository for payloads that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the payloads. If several calls share a repository,
    ///   those of the first call are used.
    @_disfavoredOverload public func repository<Payload: Codable & Sendable, Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        json: CodableJSON = CodableJSON(), mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload, kind: kind.name, isWriting: true) {
            repository(
                kind,
                .http(
                    client, at: path, editing: method, payload: payload, json: json, mapping: mapping,
                    payloadOf: payloadOf)
            )
        }
    }
}
