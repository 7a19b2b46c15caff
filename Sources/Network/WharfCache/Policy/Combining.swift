package import WharfCore
package import WharfStorage

/// The way in which a partial response (206) is stored (RFC 9111 §3.3, §3.4).
package enum Combination: Sendable, Hashable {
    /// The part is not stored, and the stored response stays as it is.
    case discard
    /// The part is stored alone under this head. It replaces the stored response.
    case store(StoredHead)
    /// The stored response has all bytes of the part, and gets this head.
    case update(StoredHead)
    /// The part and the stored bytes are stored as one response.
    case combine(StoredHead, StoredBytes)

    /// The use of the stored bytes in a combination, in their order.
    package struct StoredBytes: Sendable, Hashable {
        /// The number of bytes before the part.
        package var before: Int64
        /// The number of bytes that the part has too. They are read and dropped.
        package var overlap: Int64
        /// The number of bytes after the part.
        package var after: Int64

        /// Creates the counts.
        package init(before: Int64, overlap: Int64, after: Int64) {
            self.before = before
            self.overlap = overlap
            self.after = after
        }
    }
}

extension CachePolicy {
    /// The largest number of stored bytes that are copied to combine them with a part.
    ///
    /// A combination writes the stored bytes again. Without a limit, a reader that walks through a
    /// large body in small ranges would copy the square of its length.
    package static let combiningLimit: Int64 = 8 << 20

    /// Decides how a partial response is stored beside the response of the same variant.
    ///
    /// - Parameters:
    ///   - part: the head of the partial response.
    ///   - stored: the response that a commit under this head would replace; nil if there is none.
    ///   - length: the length of the stored body.
    package func combination(
        _ part: StoredHead, for request: RequestFacts, with stored: ResponseFacts?, length: Int64
    ) -> Combination {
        guard let place = part.response.contentRange else { return .discard }
        guard let stored, isSameVersion(part, place, stored, length) else {
            // An offline reader of the whole would lose its only answer to the part of another one.
            if let stored, stored.head.response.status == .ok { return .discard }
            // RFC 9110 §15.3.7: the answer to If-Range may omit fields, because its client has them
            // already. Without a response that has them, it can't be an answer for others.
            return request.ifRange == nil ? .store(part.placed(at: place)) : .discard
        }
        // RFC 9111 §3.4: the fields of the new response replace the stored ones.
        var head = part
        head.response = stored.head.response
        head.response.headerFields.freshen(with: part.response.headerFields)
        // A complete response has all bytes.
        let kept = stored.contentRange?.bytes ?? 0..<place.length
        let new = place.bytes
        if kept.lowerBound <= new.lowerBound, new.upperBound <= kept.upperBound { return .update(head) }
        // A gap between both can't be stored, and the later part is the likelier one to be read.
        guard kept.lowerBound <= new.upperBound, new.lowerBound <= kept.upperBound, kept.count <= Self.combiningLimit
        else { return .store(head.placed(at: place)) }
        let union = min(kept.lowerBound, new.lowerBound)..<max(kept.upperBound, new.upperBound)
        head = head.placed(at: ContentRange(union, of: place.length))
        let bytes = Combination.StoredBytes(
            before: max(0, new.lowerBound - kept.lowerBound), overlap: Int64(kept.clamped(to: new).count),
            after: max(0, kept.upperBound - new.upperBound))
        return bytes.before == 0 && bytes.after == 0 ? .store(head) : .combine(head, bytes)
    }

    /// Returns whether a part and a stored response are of one version, byte for byte (RFC 9111
    /// §3.4).
    func isSameVersion(
        _ part: StoredHead, _ place: ContentRange, _ stored: ResponseFacts, _ length: Int64
    ) -> Bool {
        // A part without a valid place has unknown bytes.
        // RFC 9111 §3.4: only a 200 or another part is combined.
        guard stored.isPartial ? stored.contentRange != nil : stored.head.response.status == .ok else { return false }
        return facts(part).validators.areStronglyEqual(to: stored.validators)
            // An origin that gives one tag to two codings breaks RFC 9110 §8.8.3.3. The bytes of
            // both must not be mixed even so.
            && (stored.contentRange?.length ?? length) == place.length
            && stored.head.response.headerFields[.contentEncoding] == part.response.headerFields[.contentEncoding]
    }

    /// Returns whether an answer to GET shows that a stored part is of another version, or that the
    /// resource is gone.
    ///
    /// The part must then not be served again: its reader would get bytes of two versions.
    package func isOutdated(_ part: ResponseFacts, by answer: HTTPResponse, at now: WallTime) -> Bool {
        switch answer.status.code {
        case 404, 410: true
        case 200, 206:
            !facts(StoredHead(response: answer, requestedAt: now, respondedAt: now)).validators
                .areStronglyEqual(to: part.validators)
        default: false
        }
    }
}

extension StoredHead {
    func placed(at range: ContentRange) -> StoredHead {
        var head = self
        head.response = response.placed(at: range)
        return head
    }
}
