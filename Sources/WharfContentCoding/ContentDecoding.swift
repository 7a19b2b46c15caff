package import WharfCore

/// What a transport does about content codings: asks for them, and takes them off.
package enum ContentDecoding: Sendable {
    /// The caller did not speak of codings, so bodies come without.
    case takesOff
    /// The caller sent `Accept-Encoding`: the answer is what it asked for, and comes as it is.
    case leavesAlone

    /// More are a waste of the server's time or an attack on the client's; libcurl has the same
    /// limit.
    private static let mostCodings = 5

    /// Decides, and asks for codings where it takes them off.
    ///
    /// A request for a range asks for none: it would get a part of the encoded bytes, which can't
    /// be decoded (RFC 9110 §14.2).
    package static func prepare(_ request: inout HTTPRequest) -> ContentDecoding {
        guard request.headerFields[.acceptEncoding] == nil else { return .leavesAlone }
        if request.headerFields[.range] == nil { request.headerFields[.acceptEncoding] = ContentCoding.accepted }
        return .takesOff
    }

    /// The answer, whose head describes exactly the bytes that its body gives.
    ///
    /// Codings stay on what has no body, on a part of a body (206), and where one of them is not
    /// known.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for more than five codings.
    package func apply(
        to response: TransportResponse, for method: HTTPRequest.Method
    ) throws(TransportError) -> TransportResponse {
        guard case .takesOff = self, response.head.hasBody(for: method), response.head.status != .partialContent,
            response.head.announcedLength(for: method) != 0,
            let codings = ContentCoding.all(in: response.head.headerFields),
            !codings.isEmpty
        else { return response }
        guard codings.count <= Self.mostCodings else {
            throw TransportError(
                .invalidResponse,
                message:
                    "the body has \(codings.count) content codings, of which at most \(Self.mostCodings) are taken "
                    + "off; correct the server, or send Accept-Encoding to get the body as it is")
        }
        var decoded = response
        decoded.head.headerFields[.contentEncoding] = nil
        decoded.head.headerFields[.contentLength] = nil
        // The last one was applied last (RFC 9110 §8.4), so it is the outermost.
        decoded.body = codings.reversed().reduce(response.body) { BodyStream(DecodedBody($0, without: $1)) }
        return decoded
    }
}
