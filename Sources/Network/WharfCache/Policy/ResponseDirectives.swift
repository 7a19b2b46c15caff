package import WharfCore
package import WharfPrimitives

/// The directives of a response that a cache obeys, and the explicit expiry beside them.
///
/// A shared cache obeys `CDN-Cache-Control` in place of `Cache-Control` and `Expires`, if it is
/// valid and not empty (RFC 9213 §2.2). A private cache is not its target.
package struct ResponseDirectives: Sendable {
    package let control: CacheControl
    /// The value of `Expires`; nil if there is none, or a targeted field overrides it.
    package let expires: String?

    package init(_ fields: HTTPFields, isShared: Bool) {
        let targeted = isShared ? HTTPField.Name.cdnCacheControl.flatMap { fields[$0] } : nil
        if let targeted = targeted.flatMap({ CacheControl(targeted: $0) }) {
            (control, expires) = (targeted, nil)
        } else {
            (control, expires) = (CacheControl(fields), fields[.expires])
        }
    }

    /// Whether the origin states a lifetime (RFC 9111 §3).
    package func isExplicit(isShared: Bool) -> Bool {
        control.maxAge != nil || isShared && control.sharedMaxAge != nil || expires != nil
    }
}

extension HTTPField.Name {
    /// RFC 9213 §3.1.
    static let cdnCacheControl = HTTPField.Name("CDN-Cache-Control")
}
