public import WharfCore
public import WharfJSON

extension RemoteSource {
    /// Returns a source for models that are their own payloads, in the usual layout.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, at: "notes")
    /// ```
    ///
    /// If a model differs from its payload, use ``http(_:at:editing:payload:mapping:payloadOf:)``.
    ///
    /// - Parameter method: the HTTP method of edits.
    @inlinable public static func http(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put
    ) -> RemoteSource where Model: JSONDecodable & JSONEncodable, Model.ID: CustomStringConvertible {
        http(client, at: path, editing: method, payload: Model.self, mapping: { $0 }, payloadOf: { $0 })
    }

    /// Returns a source for `Codable` models that are their own payloads.
    ///
    /// - Parameter json: the keys and dates of the models.
    @_disfavoredOverload public static func http(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put,
        json: CodableJSON = CodableJSON()
    ) -> RemoteSource where Model: Codable, Model.ID: CustomStringConvertible {
        http(client, at: path, editing: method, payload: Model.self, json: json, mapping: { $0 }, payloadOf: { $0 })
    }
}
