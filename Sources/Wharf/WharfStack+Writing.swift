public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

extension WharfStack {
    /// A repository that reads and writes, its models kept in ``entities`` as the payloads that the
    /// service sends.
    ///
    /// ```swift
    /// let notes = stack.repository(at: "notes", payload: NotePayload.self) { Note($0) } payloadOf: { NotePayload($0) }
    /// try await notes.edit(id) { $0.isDone = true }
    /// ```
    ///
    /// It reads by GET. POST to
    /// `path` adds; PUT (or PATCH) and DELETE one segment below it edit and delete, with `If-Match`
    /// if an entity tag is known. Keep the repository. It is shared by its path, as the one that
    /// only reads. For indexes and lifetimes of its own, give an ``/WharfCore/EntityKind`` to the
    /// other form.
    ///
    /// - Parameters:
    ///   - path: also the name of the kind in the store.
    ///   - method: how edits are sent; of calls that share a repository, the first one decides.
    ///   - mapping: a payload to its model; what it throws becomes ``ReadFailure/Code/unmappable``.
    ///   - payloadOf: a model to its payload; what it throws becomes
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

    /// The same for payloads that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the payloads; of calls that share a repository, the
    ///   first one decides.
    @_disfavoredOverload public func repository<Payload: Codable & Sendable, Model: Identifiable & Sendable>(
        at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        json: CodableJSON = CodableJSON(), mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        let kind = EntityKind(path.encoded, codec: Codec<Payload>.json(as: json).map(to: mapping, from: payloadOf))
        return repository(
            kind, at: path, editing: method, payload: payload, json: json, mapping: mapping, payloadOf: payloadOf)
    }

    /// The same, its models kept as `kind` says.
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

    /// The same for payloads that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the payloads; of calls that share a repository, the
    ///   first one decides.
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
