public import WharfCore
public import WharfJSON

extension RequestBody {
    /// A file of the disk as it is, read while it is sent. Its length is taken now, and sending
    /// fails if the file has another by then.
    ///
    /// ```swift
    /// let body = try RequestBody.file("/films/metropolis.mp4").reporting { show($0.completed, of: $0.total) }
    /// let upload = Request(.put, .path("films/1"), fields: [.contentType: "video/mp4"], body: body, decoding: .ignored)
    /// ```
    ///
    /// - Throws: ``WharfCore/TransportError/Code/fileUnreadable`` when there is no regular file
    ///   that can be read.
    public static func file(_ path: String) throws(TransportError) -> RequestBody {
        let length = try OpenFile(path).length
        return .stream({ BodyStream(SegmentedBody([.file(path, length)]), expectedLength: length) }, length: length)
    }

    /// The same body, telling how much of it was sent.
    ///
    /// `URLSessionTransport` tells what it gave to the network; another transport may tell what it
    /// took of the body. Neither is what the server has read: that is known when it answers. The
    /// count begins with 0, also when the request is sent again (a redirect, a retry, a 401), only
    /// rises until then, and ends at the total unless the server answers before that.
    ///
    /// - Parameter onProgress: called in order, in any context, so it had better be quick.
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
    /// A form with files, as `multipart/form-data`.
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
    @inlinable public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], multipart form: MultipartForm,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> Request {
        post(path, query: query, fields: fields, multipart: form, onProgress: onProgress, decoding: .json)
    }
}

// For payloads that are not `JSONDecodable`.
extension Request where Payload: Decodable {
    @_disfavoredOverload public static func post(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:], multipart form: MultipartForm,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> Request {
        post(path, query: query, fields: fields, multipart: form, onProgress: onProgress, decoding: .json)
    }
}
