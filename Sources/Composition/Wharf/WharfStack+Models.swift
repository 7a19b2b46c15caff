public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

extension WharfStack {
    /// Returns a repository of models that are their own payloads, for reading and writing.
    ///
    /// ```swift
    /// let notes = stack.repository(.notes, at: "notes")
    /// ```
    ///
    /// If the payload of the service differs from the model, use
    /// ``repository(_:at:editing:payload:mapping:payloadOf:)``. The requests are the same.
    ///
    /// - Parameters:
    ///   - kind: the form of the models in the store.
    ///   - method: the method of edits. If several calls share a repository, that of the first call
    ///     is used.
    @inlinable
    public func repository<Model: JSONDecodable & JSONEncodable & Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        repository(kind, at: path, editing: method, payload: Model.self, mapping: { $0 }, payloadOf: { $0 })
    }

    /// Returns the same repository for models that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the models. If several calls share a repository,
    ///   those of the first call are used.
    @_disfavoredOverload public func repository<Model: Codable & Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put,
        json: CodableJSON = CodableJSON()
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        repository(
            kind, at: path, editing: method, payload: Model.self, json: json, mapping: { $0 }, payloadOf: { $0 })
    }
}
