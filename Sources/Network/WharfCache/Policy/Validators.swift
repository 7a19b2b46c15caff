package import WharfCore
internal import WharfPrimitives

/// The validators of one version of a resource (RFC 9110 §8.8).
package struct Validators: Sendable, Hashable {
    package let eTag: String?
    /// The origin's own text, which is sent back to it unchanged.
    package let lastModified: String?
    private let modified: WallTime

    /// - Parameter date: replaces a missing `Last-Modified` (RFC 9111 §4.3.2).
    init(_ fields: HTTPFields, date: WallTime) {
        eTag = fields[.eTag].flatMap { $0.isEmpty ? nil : $0 }
        let parsed = fields[.lastModified].flatMap(WallTime.init(httpDate:))
        lastModified = parsed == nil ? nil : fields[.lastModified]
        modified = parsed ?? date
    }

    /// The fields of a conditional request for this version (RFC 9111 §4.3.1). They are empty if
    /// there is no validator.
    package var conditionalFields: HTTPFields {
        var fields = HTTPFields()
        if let eTag { fields[.ifNoneMatch] = eTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    /// Returns whether a 304 with these fields may be about this version (RFC 9111 §4.3.4).
    package func agree(with notModified: HTTPFields) -> Bool {
        guard let eTag, let theirs = notModified[.eTag], !theirs.isEmpty else { return true }
        return Self.weaklyEqual(eTag, theirs)
    }

    /// Returns whether a client with these conditions has this version already (RFC 9111 §4.3.2).
    /// If `If-None-Match` is present, it alone decides.
    package func satisfy(ifNoneMatch: String?, ifModifiedSince: String?) -> Bool {
        if let ifNoneMatch {
            let tags = FieldList.members(ifNoneMatch, escapes: false)
            if tags == ["*"] { return true }
            guard let eTag else { return false }
            return tags.contains { Self.weaklyEqual(eTag, $0) }
        }
        guard let ifModifiedSince, let since = WallTime(httpDate: ifModifiedSince) else { return false }
        return modified <= since
    }

    /// Compares entity tags weakly (RFC 9110 §8.8.3.2).
    private static func weaklyEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        opaque(Substring(a)) == opaque(Substring(b))
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
