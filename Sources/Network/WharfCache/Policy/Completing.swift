package import WharfCore
package import WharfStorage

/// A request for the bytes that a stored part lacks (RFC 9111 §3.3).
package struct Completion: Sendable, Hashable {
    /// The place of the missing bytes.
    package let missing: ContentRange
    /// The strong validator of the stored part. For another version the origin sends the whole
    /// (RFC 9110 §13.1.5).
    package let ifRange: String

    /// The fields to add to the request.
    package var fields: HTTPFields {
        let last = missing.bytes.upperBound == missing.length ? "" : String(missing.bytes.upperBound - 1)
        return [.range: "bytes=\(missing.bytes.lowerBound)-\(last)", .ifRange: ifRange]
    }
}

extension CachePolicy {
    /// Returns the request that makes a stored part complete, for a client that asks for the whole.
    ///
    /// - Returns: nil if bytes are missing at both ends, or the client's own fields would change
    ///   the answer.
    package func completion(of part: ResponseFacts, for request: RequestFacts) -> Completion? {
        guard !request.isHead, request.range == nil, request.ifRange == nil, !request.isConditional,
            let place = part.contentRange, let strong = part.validators.strong
        else { return nil }
        let missing: Range<Int64>
        switch (place.bytes.lowerBound, place.bytes.upperBound) {
        case (0, let end): missing = end..<place.length
        case (let start, place.length): missing = 0..<start
        default: return nil
        }
        return Completion(missing: ContentRange(missing, of: place.length), ifRange: strong)
    }

    /// Returns the complete response that a stored part and the answer to a ``Completion`` make
    /// (RFC 9111 §3.4).
    ///
    /// - Returns: nil if they are not of one version, or other bytes came.
    package func completed(
        _ part: ResponseFacts, by answer: StoredHead, _ completion: Completion
    ) -> HTTPResponse? {
        var answer = answer
        // RFC 9110 §15.3.7: the answer to If-Range may omit the fields that the part has already.
        if !answer.response.headerFields.contains(.contentEncoding) {
            answer.response.headerFields[.contentEncoding] = part.head.response.headerFields[.contentEncoding]
        }
        guard let place = answer.response.contentRange, place == completion.missing,
            isSameVersion(answer, place, part, place.length)
        else { return nil }
        var response = part.head.response
        response.headerFields.freshen(with: answer.response.headerFields)
        return response.placed(at: ContentRange(0..<place.length, of: place.length))
    }
}
