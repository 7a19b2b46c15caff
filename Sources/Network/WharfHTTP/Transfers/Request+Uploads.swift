public import WharfCore
public import WharfJSON

extension RequestBody {
    /// Returns a body that is read from a file while it is sent.
    ///
    /// The file's length is read now. Sending fails if the file has another length by then.
    ///
    /// ```swift
    /// let body = try RequestBody.file("/films/metropolis.mp4").reporting { show($0.completed, of: $0.total) }
    /// let upload = Request(.put, .path("films/1"), fields: [.contentType: "video/mp4"], body: body, decoding: .ignored)
    /// ```
    ///
    /// - Throws: ``WharfCore/TransportError/Code/fileUnreadable`` if there is no readable regular
    ///   file.
    public static func file(_ path: String) throws(TransportError) -> RequestBody {
        let length = try OpenFile(path).length
        return .stream({ BodyStream(SegmentedBody([.file(path, length)]), expectedLength: length) }, length: length)
    }

    /// Returns the same body, which reports how much of it was sent.
    ///
    /// `URLSessionTransport` reports bytes that it gave to the network. Other transports may report
    /// bytes that they read from the body. Neither means that the server has read them: only its
    /// answer shows that.
    ///
    /// The count starts at 0 and rises. It restarts at 0 if the request is sent again (a redirect,
    /// a retry, a 401). It ends at the total unless the server answers earlier.
    ///
    /// - Parameter onProgress: called in order, in any context. It should return quickly.
    public func reporting(_ onProgress: @escaping @Sendable (TransferProgress) -> Void) -> RequestBody {
        switch self {
        case .none: self
        case .bytes(let bytes):
            .stream(
                {
                    BodyStream(
                        CountedBody(BodyStream(bytes), Int64(bytes.count), onProgress),
                        expectedLength: Int64(bytes.count))
                }, length: Int64(bytes.count))
        case .stream(let make, let length):
            .stream({ BodyStream(CountedBody(make(), length, onProgress), expectedLength: length) }, length: length)
        }
    }
}

extension Request {
    /// Returns a POST request with a form, as `multipart/form-data`.
    ///
    /// - Parameter onProgress: see ``WharfCore/RequestBody/reporting(_:)``.
    public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], multipart form: MultipartForm,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil, decoding: Decoding<Payload>
    ) -> Request {
        var fields = fields
        fields[.contentType] = form.contentType
        let body = onProgress.map { form.body.reporting($0) } ?? form.body
        return Request(.post, .path(path), query: query, fields: fields, body: body, decoding: decoding)
    }
}

extension Request where Payload: JSONDecodable {
    /// Returns a POST request with a form, whose answer is decoded as JSON.
    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], multipart form: MultipartForm,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> Request {
        post(path, query: query, fields: fields, multipart: form, onProgress: onProgress, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    /// Returns a POST request with a form, whose answer is read through `Codable`.
    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], multipart form: MultipartForm,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> Request {
        post(path, query: query, fields: fields, multipart: form, onProgress: onProgress, decoding: .json)
    }
}
