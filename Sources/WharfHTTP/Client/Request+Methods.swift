public import WharfCore

// MARK: - Decoded as the caller says

extension Request {
    public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.get, .path(path), query: query, fields: fields, decoding: decoding)
    }

    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is put behind the URL's own.
    public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.get, .url(url), query: query, fields: fields, decoding: decoding)
    }

    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.post, path, query, fields, json: json, decoding)
    }

    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.put, path, query, fields, json: json, decoding)
    }

    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable,
        decoding: Decoding<Payload>
    ) -> Request {
        Request(.patch, path, query, fields, json: json, decoding)
    }

    public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.delete, .path(path), query: query, fields: fields, decoding: decoding)
    }
}

// MARK: - Decoded as JSON

extension Request where Payload: Decodable {
    public static func get(_ path: RequestPath, query: Query = [], fields: HTTPFields = [:]) -> Request {
        get(path, query: query, fields: fields, decoding: .json)
    }

    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is put behind the URL's own.
    public static func get(url: String, query: Query = [], fields: HTTPFields = [:]) -> Request {
        get(url: url, query: query, fields: fields, decoding: .json)
    }

    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable
    ) -> Request {
        post(path, query: query, fields: fields, json: json, decoding: .json)
    }

    public static func put(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable
    ) -> Request {
        put(path, query: query, fields: fields, json: json, decoding: .json)
    }

    public static func patch(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], json: some Encodable
    ) -> Request {
        patch(path, query: query, fields: fields, json: json, decoding: .json)
    }

    public static func delete(_ path: RequestPath, query: Query = [], fields: HTTPFields = [:]) -> Request {
        delete(path, query: query, fields: fields, decoding: .json)
    }
}

// MARK: - Read for the head alone

extension Request where Payload == Void {
    public static func head(_ path: RequestPath, query: Query = [], fields: HTTPFields = [:]) -> Request {
        Request(.head, .path(path), query: query, fields: fields, decoding: .ignored)
    }
}
