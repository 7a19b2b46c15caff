public import WharfCore
public import WharfJSON

// MARK: - Decoded as the caller says

extension Request {
    /// Returns a GET request for a path, decoded as `decoding` says.
    public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.get, .path(path), query: query, fields: fields, decoding: decoding)
    }

    /// Returns a GET request for an absolute URL, decoded as `decoding` says.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is appended to the URL's own query.
    public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.get, .url(url), query: query, fields: fields, decoding: decoding)
    }

    /// Returns a DELETE request for a path, decoded as `decoding` says.
    public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], decoding: Decoding<Payload>
    ) -> Request {
        Request(.delete, .path(path), query: query, fields: fields, decoding: decoding)
    }
}

// MARK: - Decoded as JSON

extension Request where Payload: JSONDecodable {
    /// Returns a GET request for a path, whose answer is decoded as JSON.
    @inlinable public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(path, query: query, fields: fields, decoding: .json)
    }

    /// Returns a GET request for an absolute URL, whose answer is decoded as JSON.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is appended to the URL's own query.
    @inlinable public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(url: url, query: query, fields: fields, decoding: .json)
    }

    /// Returns a DELETE request for a path, whose answer is decoded as JSON.
    @inlinable public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        delete(path, query: query, fields: fields, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    /// Returns a GET request for a path, whose answer is read through `Codable`.
    @_disfavoredOverload public static func get(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(path, query: query, fields: fields, decoding: .json)
    }

    /// Returns a GET request for an absolute URL, whose answer is read through `Codable`.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, such as the link to the next page.
    ///   - query: is appended to the URL's own query.
    @_disfavoredOverload public static func get(
        url: String, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        get(url: url, query: query, fields: fields, decoding: .json)
    }

    /// Returns a DELETE request for a path, whose answer is read through `Codable`.
    @_disfavoredOverload public static func delete(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:]
    ) -> Request {
        delete(path, query: query, fields: fields, decoding: .json)
    }
}

// MARK: - Read for the head alone

extension Request where Payload == Void {
    /// Returns a HEAD request for a path.
    public static func head(_ path: RequestPath, query: Query = [], fields: HTTPFields = [:]) -> Request {
        Request(.head, .path(path), query: query, fields: fields, decoding: .ignored)
    }
}
