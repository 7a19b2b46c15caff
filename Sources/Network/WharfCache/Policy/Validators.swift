package import WharfCore
internal import WharfPrimitives

/// The validators of one version of a resource (RFC 9110 §8.8).
package struct Validators: Sendable, Hashable {
    package let eTag: String?
    /// The origin's own text, which is sent back to it unchanged.
    package let lastModified: String?
    private let modified: WallTime
    /// The time of the response.
    private let date: WallTime

    /// - Parameter date: replaces a missing `Last-Modified` (RFC 9111 §4.3.2).
    init(_ fields: HTTPFields, date: WallTime) {
        eTag = fields[.eTag].flatMap { $0.isEmpty ? nil : $0 }
        // A date that can't be parsed is no validator.
        let parsed = fields[.lastModified].flatMap(WallTime.init(httpDate:))
        lastModified = parsed == nil ? nil : fields[.lastModified]
        modified = parsed ?? date
        self.date = date
    }

    /// The fields of a conditional request for this version (RFC 9111 §4.3.1). They are empty if
    /// there is no validator.
    package var conditionalFields: HTTPFields {
        var fields = HTTPFields()
        // Both are sent: RFC 9110 §13.1.3 lets an origin that knows entity tags ignore the date.
        if let eTag { fields[.ifNoneMatch] = eTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    /// Returns whether a 304 with these fields may be about this version (RFC 9111 §4.3.4).
    package func agree(with notModified: HTTPFields) -> Bool {
        // Without an entity tag on both sides the 304 is taken to be about the selected response.
        guard let eTag, let theirs = notModified[.eTag], !theirs.isEmpty else { return true }
        return Self.weaklyEqual(eTag, theirs)
    }

    /// Returns whether a client with these conditions has this version already (RFC 9111 §4.3.2).
    /// If `If-None-Match` is present, it alone decides.
    package func satisfy(ifNoneMatch: String?, ifModifiedSince: String?) -> Bool {
        if let ifNoneMatch {
            let tags = FieldList.members(ifNoneMatch, escapes: false)
            // `*` matches any current representation (RFC 9110 §13.1.2).
            if tags == ["*"] { return true }
            guard let eTag else { return false }
            return tags.contains { Self.weaklyEqual(eTag, $0) }
        }
        // RFC 9110 §13.1.3: an invalid date makes the condition void.
        guard let ifModifiedSince, let since = WallTime(httpDate: ifModifiedSince) else { return false }
        return modified <= since
    }

    /// Returns whether a field `If-Range` names exactly this version (RFC 9110 §13.1.5).
    ///
    /// Entity tags are compared strongly: parts of two versions that are only equivalent would give
    /// a broken body.
    package func isExactly(_ ifRange: String) -> Bool {
        if ifRange.contains("\"") {
            guard let eTag, !eTag.hasPrefix("W/") else { return false }
            return ifRange == eTag
        }
        guard let lastModified, lastModified == ifRange else { return false }
        return hasStrongDate
    }

    /// The validator that changes with each byte of the body (RFC 9110 §8.8.1); nil if there is
    /// none.
    ///
    /// The date counts only without an entity tag: an origin that sends a weak tag says that the
    /// bytes may differ.
    package var strong: String? {
        if let eTag { return eTag.hasPrefix("\"") ? eTag : nil }
        return hasStrongDate ? lastModified : nil
    }

    /// Returns whether both are of one version, byte for byte (RFC 9110 §8.8.3.2).
    package func areStronglyEqual(to other: Validators) -> Bool {
        guard let strong, let theirs = other.strong else { return false }
        return strong == theirs && (eTag == nil) == (other.eTag == nil)
    }

    /// RFC 9110 §8.8.2.2: a date is strong if it lies at least a second before the response.
    private var hasStrongDate: Bool { date - modified >= .seconds(1) }

    /// Compares entity tags weakly (RFC 9110 §8.8.3.2).
    private static func weaklyEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        opaque(Substring(a)) == opaque(Substring(b))
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
