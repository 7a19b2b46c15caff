public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

#if SQLite
public import WharfSQLite
#endif

extension WharfStack {
    /// Returns a read-only repository whose models are kept in ``entities``.
    ///
    /// With a data file the last good model survives a restart, even if the service has sent an
    /// unreadable response since.
    ///
    /// ```swift
    /// let stack = try await WharfStack.live(baseURL: url, data: .applicationSupport())
    /// let notes = stack.repository(.notes, at: "notes", payload: NotePayload.self) { Note($0) }
    /// ```
    ///
    /// `GET <path>` is the list, `GET <path>/<id>` one of the models. Keep the repository. Calls
    /// with the same path share it, as without a kind.
    ///
    /// - Parameters:
    ///   - kind: the form of the models in the store.
    ///   - payload: the type of the service's payload.
    ///   - mapping: makes the model from a payload; its error becomes
    ///     ``ReadFailure/Code/unmappable``.
    @inlinable public func repository<Payload: JSONDecodable & Sendable, Model: Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, payload: Payload.Type,
        mapping: @escaping @Sendable (Payload) throws -> Model
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        shared(path, payload, kind: kind.name) {
            repository(kind, .http(client, at: path, payload: payload, mapping: mapping))
        }
    }

    /// Returns the same repository for payloads that are not `JSONDecodable`.
    ///
    /// - Parameter json: the keys and dates of the payloads. If several calls share a repository,
    ///   those of the first call are used.
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
