package import WharfCore
package import WharfStorage

/// An answer whose bytes are stored as a part if its body breaks off (RFC 9111 §3.3).
///
/// The bytes are those of the selected representation, encoded or not. The cache sits below each
/// decoder, so a later range from the origin continues them (RFC 9110 §14.2).
package struct BreakableAnswer: Sendable {
    /// The request, whose variant the part belongs to.
    package let request: RequestFacts
    /// The head under which the answer is stored if all its bytes arrive.
    package let head: StoredHead
    /// The place of the answer's content in the complete body.
    package let place: ContentRange
}

/// The way in which the bytes of a broken body are stored.
package struct IncompletePart: Sendable, Hashable {
    /// The head to commit: that of a part, or of the complete response if stored bytes follow up to
    /// its end.
    package let head: StoredHead
    /// The number of stored bytes after the last arrived byte.
    package let after: Int64
}

extension CachePolicy {
    /// The fewest bytes of a broken body that are stored.
    ///
    /// An origin sends about 14,600 bytes before it waits for an acknowledgement (RFC 6928 §2). For
    /// fewer bytes a request for the rest takes as many round trips as one for the whole.
    package static let shortestPart: Int64 = 16 << 10

    /// Returns the facts to store an answer by if its body breaks off.
    ///
    /// - Parameters:
    ///   - head: the head under which the answer is being stored.
    ///   - answer: the head as the reader gets it.
    /// - Returns: nil unless RFC 9111 §3.3 permits it: for a 200, or a 206 with one range. The
    ///   validator must be strong, or no other part could be combined with this one (§3.4). The
    ///   announced length is that of the content.
    package func breakable(
        _ head: StoredHead, _ answer: HTTPResponse, to request: RequestFacts, _ reason: CacheStatus.Forward
    ) -> BreakableAnswer? {
        // RFC 9111 §3.3: only the answer to GET. That to POST is stored for a later GET, and the
        // origin may answer a range of GET with other bytes.
        guard reason != .method, answer.hasStrongValidator,
            // RFC 9112 §6.3: beside Transfer-Encoding, Content-Length says nothing.
            answer.headerFields[.transferEncoding] == nil
        else { return nil }
        if let place = answer.contentRange { return BreakableAnswer(request: request, head: head, place: place) }
        guard answer.status == .ok, let length = answer.announcedLength, length > 0 else { return nil }
        return BreakableAnswer(request: request, head: head, place: ContentRange(0..<length, of: length))
    }

    /// Decides how the first bytes of an answer are stored beside the response of the same variant
    /// (RFC 9111 §3.3, §3.4).
    ///
    /// - Parameters:
    ///   - count: the number of bytes that arrived.
    ///   - before: the number of stored bytes that the writer has before them.
    ///   - stored: the response that a commit would replace; nil if there is none.
    ///   - length: the length of its body.
    /// - Returns: nil if the stored response stays. That is so if it is complete, or has more bytes
    ///   of this version that can't be combined, or answers a later request.
    package func part(
        _ count: Int64, of answer: BreakableAnswer, after before: Int64, beside stored: ResponseFacts?, length: Int64
    ) -> IncompletePart? {
        // The commit would take the only answer of an offline reader.
        if let stored, !stored.isPartial { return nil }
        // More bytes than announced belong to another body. If all bytes arrived, the failure means
        // that the body is longer.
        guard count >= Self.shortestPart, count < answer.place.bytes.count else { return nil }
        let first = answer.place.bytes.lowerBound
        let place = ContentRange(first..<first + count, of: answer.place.length)
        let part = answer.head.placed(at: place)
        var combination = combination(part, for: answer.request, with: stored, length: length)
        // RFC 9110 §15.3.7: only a 206 to If-Range may omit fields. The head of a 200 has all.
        if combination == .discard, answer.head.response.status == .ok { combination = .store(part) }
        switch combination {
        case .discard, .update: return nil
        case .store(let head):
            // A newer part may have been stored since the request was sent.
            if let stored, stored.requestedAt > answer.head.requestedAt { return nil }
            // Bytes in the writer that no combination has: another response was stored meanwhile.
            guard before == 0 else { return nil }
            let others = stored.flatMap { isSameVersion(part, place, $0, length) ? $0.contentRange : nil }
            // A few bytes must not replace a long part of the same version.
            return others?.bytes.count ?? 0 <= count ? IncompletePart(head: head, after: 0) : nil
        case .combine(let head, let bytes):
            return bytes.before == before ? IncompletePart(head: head, after: bytes.after) : nil
        }
    }
}
