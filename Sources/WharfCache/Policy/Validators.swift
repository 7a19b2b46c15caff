package import WharfCore
internal import WharfPrimitives

/// What tells one version of a resource from another (RFC 9110 §8.8).
package struct Validators: Sendable, Hashable {
    package let eTag: String?
    /// As the origin wrote it; it goes back to the origin to the letter.
    package let lastModified: String?
    private let modified: WallTime

    /// - Parameter date: stands in for a `Last-Modified` that is missing (RFC 9111 §4.3.2).
    init(_ fields: HTTPFields, date: WallTime) {
        eTag = fields[.eTag].flatMap { $0.isEmpty ? nil : $0 }
        let parsed = fields[.lastModified].flatMap(WallTime.init(httpDate:))
        lastModified = parsed == nil ? nil : fields[.lastModified]
        modified = parsed ?? date
    }

    /// The fields that ask the origin whether this version still holds (RFC 9111 §4.3.1); empty
    /// when it can't be asked.
    package var conditionalFields: HTTPFields {
        var fields = HTTPFields()
        if let eTag { fields[.ifNoneMatch] = eTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    /// Whether a 304 with these fields may be about this version (RFC 9111 §4.3.4).
    package func agree(with notModified: HTTPFields) -> Bool {
        guard let eTag, let theirs = notModified[.eTag], !theirs.isEmpty else { return true }
        return Self.weaklyEqual(eTag, theirs)
    }

    /// Whether a client that sent these conditions has this version already (RFC 9111 §4.3.2).
    /// `If-None-Match` decides alone where it is there.
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

    /// RFC 9110 §8.8.3.2.
    private static func weaklyEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        opaque(Substring(a)) == opaque(Substring(b))
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
