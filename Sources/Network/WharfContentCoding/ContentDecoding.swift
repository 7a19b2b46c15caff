package import WharfCore

/// A transport's handling of content codings for one request.
package enum ContentDecoding: Sendable {
    /// The caller did not set `Accept-Encoding`, so bodies are decoded.
    case takesOff
    /// The caller set `Accept-Encoding`, so bodies are delivered encoded.
    case leavesAlone

    /// The limit of libcurl. More codings waste the server's time, or are an attack on the client.
    private static let mostCodings = 5

    /// Decides about decoding, and sets `Accept-Encoding` if bodies are decoded.
    ///
    /// A range request does not get the field. It would return a part of the encoded bytes, which
    /// can't be decoded (RFC 9110 §14.2).
    package static func prepare(_ request: inout HTTPRequest) -> ContentDecoding {
        guard request.headerFields[.acceptEncoding] == nil else { return .leavesAlone }
        if request.headerFields[.range] == nil { request.headerFields[.acceptEncoding] = ContentCoding.accepted }
        return .takesOff
    }

    /// Returns the response with a decoded body and a head that describes the decoded bytes.
    ///
    /// A response stays encoded if it has no body, is partial (206), or has an unknown coding.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for more than five codings.
    package func apply(
        to response: TransportResponse, for method: HTTPRequest.Method
    ) throws(TransportError) -> TransportResponse {
        guard case .takesOff = self else { return response }
        let codings = try Self.codings(of: response.head, for: method)
        guard !codings.isEmpty else { return response }
        var decoded = response
        decoded.head.headerFields[.contentEncoding] = nil
        decoded.head.headerFields[.contentLength] = nil
        // The last coding was applied last (RFC 9110 §8.4), so it is the outermost.
        decoded.body = codings.reversed().reduce(response.body) { BodyStream(DecodedBody($0, without: $1)) }
        return decoded
    }

    /// Returns the codings of a response's body, in the order in which the sender applied them.
    ///
    /// It is empty if nothing can be decoded: without a body, for a part (206), and for an unknown
    /// coding.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for more than five codings.
    static func codings(
        of head: HTTPResponse, for method: HTTPRequest.Method
    ) throws(TransportError) -> [ContentCoding] {
        // First the field that most responses lack: the other questions cost more.
        guard head.headerFields.contains(.contentEncoding), head.hasBody(for: method), head.status != .partialContent,
            // An empty body has no coding to end.
            head.announcedLength(for: method) != 0, let codings = ContentCoding.all(in: head.headerFields)
        else { return [] }
        guard codings.count <= mostCodings else {
            throw TransportError(
                .invalidResponse,
                message:
                    "the body has \(codings.count) content codings, and at most \(mostCodings) are decoded; "
                    + "correct the server, or send Accept-Encoding to get the body as it is")
        }
        return codings
    }
}
