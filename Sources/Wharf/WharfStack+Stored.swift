public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

#if SQLite
public import WharfSQLite
#endif

extension WharfStack {
    /// A repository whose models are kept in ``entities``: the last good one outlives the process,
    /// whatever the service sends since.
    ///
    /// ```swift
    /// let stack = try await WharfStack.live(baseURL: url, data: .applicationSupport())
    /// let notes = stack.repository(.notes, at: "notes", payload: NotePayload.self) { Note($0) }
    /// ```
    ///
    /// `GET <path>` is the list, `GET <path>/<id>` one of the models. Keep the repository. It is
    /// shared by its path, as the one without a kind.
    ///
    /// - Parameters:
    ///   - kind: how the models lie in the store.
    ///   - payload: what the service sends.
    ///   - mapping: from the payload to the model; what it throws becomes
    ///     ``ReadFailure/Code/unmappable``.
    @inlinable public func repository<Payload: JSONDecodable & Sendable, Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload, kind: kind.name) {
            repository(kind, .http(client, at: path, payload: payload, mapping: mapping))
        }
    }

    /// The same for payloads that are not `JSONDecodable`.
    ///
    /// - Parameter json: the keys and dates of the payloads; of calls that share a repository, the
    ///   first one decides.
    @_disfavoredOverload public func repository<Payload: Decodable & Sendable, Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, payload: Payload.Type, json: CodableJSON = CodableJSON(),
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload, kind: kind.name) {
            repository(kind, .http(client, at: path, payload: payload, json: json, mapping: mapping))
        }
    }
}

#if SQLite
extension WharfStack {
    /// The data file, for other stores of the app in it; nil if the stack has not opened one.
    ///
    /// ```swift
    /// let settings = stack.dataFile.map(SQLiteKeyValueStore.init)
    /// ```
    public var dataFile: SQLiteDataFile? { data?.file }
}
#endif
