#if Server
internal import WharfContentCoding
internal import WharfCore
internal import WharfPrimitives

/// The content codings of one client, and the entity tags of the answers that are decoded for it.
///
/// RFC 9110 §12.5.3 lets a client without `Accept-Encoding` get any coding, but most of them can
/// decode none. An origin may encode without being asked, and without `Vary`, so a stored answer
/// can be encoded.
struct ClientCoding: Sendable {
    private let isDecoding: Bool
    /// The client's own condition; nil if it has none.
    private let ifNoneMatch: String?

    init(_ request: HTTPRequest) {
        isDecoding = request.headerFields[.acceptEncoding] == nil
        ifNoneMatch = request.headerFields[.ifNoneMatch]
    }

    /// Asks the origin for a body without a coding, if the client can take no other.
    ///
    /// Without the field the transport would ask for codings and decode them below the cache. The
    /// client would then get the strong entity tag of bytes that it never had.
    func prepare(_ request: inout HTTPRequest) {
        if isDecoding { request.headerFields[.acceptEncoding] = "identity" }
    }

    /// Returns the answer in a form that the client can read.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for more than five codings.
    func apply(
        to answer: TransportResponse, for method: HTTPRequest.Method
    ) throws(TransportError) -> TransportResponse {
        // Most answers have no coding, and each hit passes here.
        guard isDecoding,
            answer.head.headerFields.contains(.contentEncoding) || answer.head.status == .notModified
        else { return answer }
        // RFC 9110 §7.7: a proxy must not change the content then.
        let isFixed = answer.head.headerFields[values: .cacheControl]
            .contains { FieldList.members($0).contains { $0.lowercased() == "no-transform" } }
        guard !isFixed else { return answer }
        var decoded = try ContentDecoding.takesOff.apply(to: answer, for: method)
        let fields = answer.head.headerFields
        // The answer to HEAD describes bytes that a GET of this client would get decoded.
        let isDecoded =
            fields[.contentEncoding] != decoded.head.headerFields[.contentEncoding]
            || method == .head && fields.contains(.contentEncoding)
        guard let tag = fields[.eTag], tag.hasPrefix("\""), isDecoded || confirmsWeak(tag, answer.head.status) else {
            return decoded
        }
        // RFC 9110 §8.8.3.3: codings of one resource differ in their strong tags. With the tag of
        // the encoded bytes, If-Range would get the rest of the encoded bytes (§15.3.7).
        decoded.head.headerFields[.eTag] = "W/" + tag
        return decoded
    }

    /// Whether the answer confirms a decoded body of the client.
    ///
    /// RFC 9111 §3.2: a cache of the client would take the strong tag of the 304 for its body.
    private func confirmsWeak(_ tag: String, _ status: HTTPResponse.Status) -> Bool {
        guard status == .notModified, let ifNoneMatch else { return false }
        let tags = FieldList.members(ifNoneMatch, escapes: false)
        return tags.contains { $0 == "W/" + tag } && !tags.contains { $0 == tag }
    }
}
#endif
