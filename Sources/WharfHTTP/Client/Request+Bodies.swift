public import WharfCore
public import WharfJSON

// Requests with a body in JSON. A value that is `JSONEncodable` is written directly, another by
// `Codable`. That other one is taken as an optional, because a value that is both then goes to the
// function that takes it as it is.

extension Request {
    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.post, path, query, fields, json: json, decoding)
    }

    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.put, path, query, fields, json: json, decoding)
    }

    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.patch, path, query, fields, json: json, decoding)
    }

    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.post, path, query, fields, json: json, decoding)
    }

    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.put, path, query, fields, json: json, decoding)
    }

    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.patch, path, query, fields, json: json, decoding)
    }
}

// MARK: - The answer decoded as JSON

extension Request where Payload: JSONDecodable {
    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @inlinable public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @inlinable public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @inlinable public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @inlinable public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @_disfavoredOverload public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @_disfavoredOverload public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some JSONEncodable
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @_disfavoredOverload public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    @_disfavoredOverload public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: (some Encodable)?
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }
}
