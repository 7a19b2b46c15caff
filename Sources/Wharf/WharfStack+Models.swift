public import WharfCore
public import WharfHTTP
public import WharfJSON
public import WharfRepository

extension WharfStack {
    /// A repository that reads and writes models which the service sends and takes as they are.
    ///
    /// ```swift
    /// let notes = stack.repository(.notes, at: "notes")
    /// ```
    ///
    /// A model that differs from what the service sends has a payload of its own:
    /// ``repository(_:at:editing:payload:mapping:payloadOf:)``. The requests are the same.
    ///
    /// - Parameters:
    ///   - kind: how the models lie in the store.
    ///   - method: how edits are sent; of calls that share a repository, the first one decides.
    @inlinable
    public func repository<Model: JSONDecodable & JSONEncodable & Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        repository(kind, at: path, editing: method, payload: Model.self, mapping: { $0 }, payloadOf: { $0 })
    }

    /// The same for models that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the models; of calls that share a repository, the
    ///   first one decides.
    @_disfavoredOverload public func repository<Model: Codable & Identifiable & Sendable>(
        _ kind: EntityKind<Model>, at path: RequestPath, editing method: EditMethod = .put,
        json: CodableJSON = CodableJSON()
    ) -> Repository<Model> where Model.ID: CustomStringConvertible & Sendable {
        repository(
            kind, at: path, editing: method, payload: Model.self, json: json, mapping: { $0 }, payloadOf: { $0 })
    }
}
