public import WharfCore
public import WharfJSON

extension RemoteSource {
    /// Returns this source with requests that make changes.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, get: …).writing(client) { change in
    ///     switch change {
    ///     case .add(let note): .post("notes", json: NotePayload(note), decoding: .note)
    ///     case .edit(let note, _, let validator): .put("notes/\(note.id)", fields: .ifMatch(validator), json: …, decoding: .note)
    ///     case .delete(let id, let validator): .delete("notes/\(id)", fields: .ifMatch(validator), decoding: .note)
    ///     }
    /// }
    /// ```
    ///
    /// An edit or a deletion without an entity tag is sent only once by the client and its
    /// transport, even if its answer is lost. Before an outbox sends such a change again, it reads
    /// the model, if the service can be read by id.
    ///
    /// - Parameter request: makes the request for a change. Its payload is the service's model
    ///   after the change; nil if the response has no body, see ``Decoding/orNothing``. If it
    ///   throws, the change can't be encoded.
    public func writing(
        _ client: APIClient, _ request: @escaping @Sendable (RemoteChange<Model>) throws -> Request<Model?>
    ) -> RemoteSource {
        writing { change, key in
            do {
                var request = try request(change)
                // With a key the service recognises a repetition, so the request may be sent again.
                if let field = key?.field {
                    request.fields.append(field)
                    request.isIdempotent = true
                }
                // If the answer is lost, another client may change the model before the request is
                // sent again. The second attempt would overwrite that change: many services ignore
                // the key.
                if change.isUnconditional { request.isIdempotent = false }
                // A write never uses the cache.
                let answer = await client.snapshot(request, mode: .bypass)
                let kept = answer.kept.flatMap { kept in kept.value.map { kept.with($0) } }
                return Snapshot(kept: kept, error: answer.error)
            } catch {
                let failure = ReadFailure(
                    .invalidRequest,
                    message: "could not make the request for the change: \(error)",
                    cause: error)
                return Snapshot(kept: nil, error: failure)
            }
        }
    }

    /// Returns a source for a collection that is read and written in the usual layout.
    ///
    /// The list is at `path`, each model one segment below it. A new model is sent by POST to
    /// `path`. An edit is sent by PUT or PATCH, and a deletion by DELETE, one segment below it.
    /// Edits and deletions have `If-Match` if the entity tag of the read model is known (RFC 9110
    /// §13.1.1). The response may have the model after the change, or no body.
    ///
    /// - Parameters:
    ///   - method: the HTTP method of edits.
    ///   - mapping: maps a payload to its model. Its errors become ``ReadFailure/Code/unmappable``.
    ///   - payloadOf: maps a model to its payload. Its errors become
    ///     ``WriteFailure/Code/unencodable``.
    @inlinable public static func http<Payload: JSONDecodable & JSONEncodable & Sendable>(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        http(client, at: path, payload: payload, mapping: mapping)
            .writing(client, at: path, method, mapping: mapping, payloadOf: payloadOf)
    }

    /// Returns a source for a collection whose `Codable` payloads are read and written.
    ///
    /// - Parameter json: the keys and dates of the payloads.
    @_disfavoredOverload public static func http<Payload: Codable & Sendable>(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put, payload: Payload.Type,
        json: CodableJSON = CodableJSON(), mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        let decoding = Decoding<Payload>.json(as: json).orNothing
        return http(client, at: path, payload: payload, json: json, mapping: mapping)
            .writing(client, at: path, method, mapping, payloadOf) { method, path, fields, payload in
                var request = Request(method, .path(path), fields: fields, decoding: decoding)
                request.encode(payload, by: json.encoder)
                return request
            } patching: { path, fields, base, payload, format in
                .patch(
                    path, from: base, to: payload, as: format, fields: fields, json: json, decoding: decoding)
            }
    }

    @usableFromInline func writing<Payload: JSONDecodable & JSONEncodable & Sendable>(
        _ client: APIClient, at path: RequestPath, _ method: EditMethod,
        mapping: @escaping @Sendable (Payload) throws -> Model,
        payloadOf: @escaping @Sendable (Model) throws -> Payload
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        // This repeats the `Codable` variant, with the functions that encode directly.
        writing(client, at: path, method, mapping, payloadOf) { method, path, fields, payload in
            Request(method, path, [], fields, json: payload, Decoding<Payload>.json.orNothing)
        } patching: { path, fields, base, payload, format in
            .patch(
                path, from: base, to: payload, as: format, fields: fields,
                decoding: Decoding<Payload>.json.orNothing)
        }
    }

    private func writing<Payload: Sendable>(
        _ client: APIClient, at path: RequestPath, _ method: EditMethod,
        _ mapping: @escaping @Sendable (Payload) throws -> Model,
        _ payloadOf: @escaping @Sendable (Model) throws -> Payload,
        sending: @escaping @Sendable (HTTPRequest.Method, RequestPath, HTTPFields, Payload) -> Request<Payload?>,
        patching: @escaping @Sendable (RequestPath, HTTPFields, Payload?, Payload, PatchFormat) -> Request<Payload?>
    ) -> RemoteSource where Model.ID: CustomStringConvertible {
        let whole = writing(client) { change in
            try change.request(at: path, payloadOf, sending: sending).map { try $0.map(mapping) }
        }
        guard case .patch(let format, let orPut) = method, let put = whole.write else { return whole }
        let differences = writing(client) { change in
            guard case .edit(let model, let base, let validator) = change else {
                return try change.request(at: path, payloadOf, sending: sending).map { try $0.map(mapping) }
            }
            let request = patching(
                path.appending(segment: model.id), .ifMatch(validator), try base.map(payloadOf), try payloadOf(model),
                format)
            return request.map { try $0.map(mapping) }
        }
        guard orPut, let patch = differences.write else { return differences }
        return writing(EditMethod.fallingBack(from: patch, to: put))
    }
}

extension RemoteChange {
    /// Whether the service applies the change to any version of the model.
    fileprivate var isUnconditional: Bool {
        switch self {
        case .add: false
        case .edit(_, _, let validator), .delete(_, let validator): validator == nil
        }
    }
}

extension RemoteChange where Model.ID: CustomStringConvertible {
    fileprivate func request<Payload>(
        at path: RequestPath, _ payloadOf: (Model) throws -> Payload,
        sending: (HTTPRequest.Method, RequestPath, HTTPFields, Payload) -> Request<Payload?>
    ) throws -> Request<Payload?> {
        switch self {
        case .add(let model): sending(.post, path, [:], try payloadOf(model))
        case .edit(let model, _, let validator):
            sending(.put, path.appending(segment: model.id), .ifMatch(validator), try payloadOf(model))
        case .delete(let id, let validator):
            Request<Void>.delete(path.appending(segment: id), fields: .ifMatch(validator), decoding: .ignored).map {
                nil
            }
        }
    }
}

extension HTTPFields {
    /// Returns `If-Match` with the entity tag, or no field if there is no tag.
    public static func ifMatch(_ validator: String?) -> HTTPFields {
        validator.map { [.ifMatch: $0] } ?? [:]
    }
}

extension Decoding {
    /// The same decoding, which returns nil for a response without a body.
    public var orNothing: Decoding<Payload?> {
        switch reading {
        case .bytes(let read):
            Decoding<Payload?>(
                accepted, false, .bytes { $0.isEmpty ? nil : try read($0, $1) }, explaining: explaining)
        case .json(let read):
            Decoding<Payload?>(
                accepted, false, .json { $0.count == 0 ? nil : try read($0) }, explaining: explaining)
        }
    }
}
