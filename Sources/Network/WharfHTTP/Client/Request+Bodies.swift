public import WharfCore
public import WharfJSON

// Requests with a JSON body. A `JSONEncodable` value is encoded directly, any other through
// `Codable`. The `Codable` variants take an optional, for values with both conformances: overload
// resolution then prefers the direct variant, which needs no promotion to an optional.

extension Request {
    /// Returns a POST request with a JSON body, encoded directly.
    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.post, path, query, fields, json: json, decoding)
    }

    /// Returns a PUT request with a JSON body, encoded directly.
    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.put, path, query, fields, json: json, decoding)
    }

    /// Returns a PATCH request with a JSON body, encoded directly.
    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.patch, path, query, fields, json: json, decoding)
    }

    /// Returns a POST request with a JSON body, encoded through `Codable`.
    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.post, path, query, fields, json: json, decoding)
    }

    /// Returns a PUT request with a JSON body, encoded through `Codable`.
    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.put, path, query, fields, json: json, decoding)
    }

    /// Returns a PATCH request with a JSON body, encoded through `Codable`.
    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.patch, path, query, fields, json: json, decoding)
    }
}

// MARK: - The answer decoded as JSON

extension Request where Payload: JSONDecodable {
    /// Returns a POST request with a JSON body, whose answer is decoded as JSON.
    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PUT request with a JSON body, whose answer is decoded as JSON.
    @inlinable public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PATCH request with a JSON body, whose answer is decoded as JSON.
    @inlinable public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a POST request with a `Codable` body, whose answer is decoded as JSON.
    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PUT request with a `Codable` body, whose answer is decoded as JSON.
    @inlinable public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PATCH request with a `Codable` body, whose answer is decoded as JSON.
    @inlinable public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    /// Returns a POST request with a JSON body, whose answer is read through `Codable`.
    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PUT request with a JSON body, whose answer is read through `Codable`.
    @_disfavoredOverload public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PATCH request with a JSON body, whose answer is read through `Codable`.
    @_disfavoredOverload public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a POST request whose body and answer go through `Codable`.
    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PUT request whose body and answer go through `Codable`.
    @_disfavoredOverload public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    /// Returns a PATCH request whose body and answer go through `Codable`.
    @_disfavoredOverload public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }
}
