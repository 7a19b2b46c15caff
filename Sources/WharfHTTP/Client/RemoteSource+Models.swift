public import WharfCore
public import WharfJSON

extension RemoteSource {
    /// Models that the service sends and takes as they are, in the usual layout.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, at: "notes")
    /// ```
    ///
    /// A model that differs from what the service sends has a payload of its own:
    /// ``http(_:at:editing:payload:mapping:payloadOf:)``.
    ///
    /// - Parameter method: how edits are sent.
    @inlinable public static func http(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put
    ) -> RemoteSource where Model: JSONDecodable & JSONEncodable, Model.ID: CustomStringConvertible {
        http(client, at: path, editing: method, payload: Model.self, mapping: { $0 }, payloadOf: { $0 })
    }

    /// The same for models that are `Codable`.
    ///
    /// - Parameter json: the keys and dates of the models.
    @_disfavoredOverload public static func http(
        _ client: APIClient, at path: RequestPath, editing method: EditMethod = .put,
        json: CodableJSON = CodableJSON()
    ) -> RemoteSource where Model: Codable, Model.ID: CustomStringConvertible {
        http(client, at: path, editing: method, payload: Model.self, json: json, mapping: { $0 }, payloadOf: { $0 })
    }
}
