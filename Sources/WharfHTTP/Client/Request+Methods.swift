public import WharfCore
public import WharfJSON

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

    public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.delete, .path(path), query: query, fields: fields, decoding: decoding)
    }
}

// MARK: - Decoded as JSON

extension Request where Payload: JSONDecodable {
    @inlinable public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(path, query: query, fields: fields, decoding: .json)
    }

    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is put behind the URL's own.
    @inlinable public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(url: url, query: query, fields: fields, decoding: .json)
    }

    @inlinable public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        delete(path, query: query, fields: fields, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    @_disfavoredOverload public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(path, query: query, fields: fields, decoding: .json)
    }

    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is put behind the URL's own.
    @_disfavoredOverload public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(url: url, query: query, fields: fields, decoding: .json)
    }

    @_disfavoredOverload public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        delete(path, query: query, fields: fields, decoding: .json)
    }
}

// MARK: - Read for the head alone

extension Request where Payload == Void {
    public static func head(_ path: RequestPath, query: Query = [], fields: HTTPFields = [:]) -> Request {
        Request(.head, .path(path), query: query, fields: fields, decoding: .ignored)
    }
}
