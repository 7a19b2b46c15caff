internal import WharfCore
internal import WharfJSON

extension Request {
    /// With `json` as the body, encoded now. What can't be encoded is the failure of the read, so
    /// that making a request does not throw.
    init(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields,
        json: some JSONEncodable, _ decoding: Decoding<Payload>
    ) {
        self.init(method, path, query, fields, type(of: json), decoding) { try JSON.encode(json) }
    }

    /// The same through `Codable`.
    init<Value: Encodable>(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields, json: Value?,
        by encoder: CodableJSONEncoder = CodableJSONEncoder(), _ decoding: Decoding<Payload>
    ) {
        self.init(method, path, query, fields, Value.self, decoding) {
            var encoder = encoder
            // The same bytes for the same value, also when it is sent again.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(json)
        }
    }

    private init(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields, _ type: Any.Type,
        _ decoding: Decoding<Payload>, encoded: () throws -> [UInt8]
    ) {
        self.init(method, .path(path), query: query, fields: fields, decoding: decoding)
        if self.fields[.contentType] == nil { self.fields[.contentType] = "application/json" }
        do {
            body = .bytes(try encoded())
        } catch {
            fault = .unencodable(type, error)
        }
    }
}

extension ReadFailure {
    /// The body of a request can't be made.
    static func unencodable(_ type: Any.Type, _ error: any Error) -> ReadFailure {
        ReadFailure(
            .invalidRequest,
            message: "expected a body of type \(type) that encodes as JSON, but encoding failed: "
                + ((error as? JSONError)?.message ?? "\(error)"),
            cause: error
        )
    }
}
