internal import WharfCore
internal import WharfJSON

extension Request {
    /// Creates a request with `json` as the body, encoded now. An encoding error fails the read
    /// instead of this call, so that making a request does not throw.
    init(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields,
        json: some JSONEncodable, _ decoding: Decoding<Payload>
    ) {
        self.init(method, .path(path), query: query, fields: fields, decoding: decoding)
        encode(type(of: json)) { try JSON.encode(json) }
    }

    /// Creates a request with `json` as the body, encoded through `Codable`.
    init<Value: Encodable>(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields, json: Value?,
        _ decoding: Decoding<Payload>
    ) {
        self.init(method, .path(path), query: query, fields: fields, decoding: decoding)
        encode(json, by: CodableJSONEncoder())
    }

    /// Makes a value the body, encoded through `Codable`.
    mutating func encode<Value: Encodable>(_ json: Value?, by encoder: CodableJSONEncoder) {
        encode(Value.self) {
            var encoder = encoder
            // Sorted keys give equal bytes for equal values, so a repeated request is identical.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(json)
        }
    }

    private mutating func encode(_ type: Any.Type, _ encoded: () throws -> [UInt8]) {
        if fields[.contentType] == nil { fields[.contentType] = "application/json" }
        do {
            body = .bytes(try encoded())
        } catch {
            fault = .unencodable(type, error)
        }
    }
}

extension ReadFailure {
    /// Returns the failure of a request whose body can't be encoded.
    static func unencodable(_ type: Any.Type, _ error: any Error) -> ReadFailure {
        ReadFailure(
            .invalidRequest,
            message: "could not encode a body of type \(type) as JSON: "
                + ((error as? JSONError)?.message ?? "\(error)"),
            cause: error
        )
    }
}
