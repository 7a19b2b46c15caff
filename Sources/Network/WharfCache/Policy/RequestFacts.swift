package import WharfCore
package import WharfPrimitives
package import WharfStorage

/// The facts about a cacheable request that the policy needs.
///
/// It is a class because a hit passes it through many calls. A copy of so many fields costs more
/// than a reference.
package final class RequestFacts: Sendable {
    package let key: CacheKey
    package let target: TargetURI
    package let fields: HTTPFields
    package let isHead: Bool
    package let cacheControl: CacheControl?
    private let found: FoundFields

    package var ifNoneMatch: String? { found.ifNoneMatch }
    package var ifModifiedSince: String? { found.ifModifiedSince }
    /// The part that a GET asks for; nil for the whole body.
    package var range: ByteRange? { found.range }
    /// The condition of ``range`` (RFC 9110 §13.1.5).
    package var ifRange: String? { found.ifRange }
    package var hasAuthorization: Bool { found.hasAuthorization }

    /// Returns whether the client continues bytes with these codings by a range (RFC 9110
    /// §12.5.3).
    ///
    /// A client without `Accept-Encoding` has decoded bytes before the range. A gateway asks for
    /// `identity` in its place.
    ///
    /// - Parameter codings: the value of `Content-Encoding`; nil if there is none.
    func continues(_ codings: String?) -> Bool {
        guard let codings else { return true }
        let weights = VaryFields.weights(fields[.acceptEncoding])
        return FieldList.members(codings).allSatisfy { weights[$0.lowercased()] ?? weights["*"] ?? false }
    }

    package var isConditional: Bool { ifNoneMatch != nil || ifModifiedSince != nil }

    /// The fields that one pass over a request's head finds.
    fileprivate struct FoundFields: Sendable {
        var ifNoneMatch: String?
        var ifModifiedSince: String?
        var range: ByteRange?
        var ifRange: String?
        var hasAuthorization = false
    }

    fileprivate init(
        key: CacheKey, target: TargetURI, fields: HTTPFields, isHead: Bool, cacheControl: CacheControl?,
        found: FoundFields
    ) {
        self.key = key
        self.target = target
        self.fields = fields
        self.isHead = isHead
        self.cacheControl = cacheControl
        self.found = found
    }
}

/// The part that the cache takes in a request.
package enum RequestScope: Sendable {
    /// The request may be answered from the store, and its answer stored.
    case cacheable(RequestFacts)
    /// The request is passed on. If it succeeds, stored responses for its target are invalid (RFC
    /// 9111 §4.4).
    case unsafe(TargetURI)
    /// The request is passed on.
    case passing(CacheStatus.Forward, why: String)
    /// The request is not HTTP, and is passed on without a cache status.
    case foreign
}

extension RequestScope {
    /// Classifies a request. This is a function because an initialiser would get a copy of the
    /// whole request.
    package static func of(_ request: TransportRequest, _ configuration: CacheConfiguration) -> RequestScope {
        guard let target = TargetURI.of(request.head) else { return .foreign }
        let method = request.head.method.rawValue
        switch method {
        case "GET", "HEAD": break
        case "OPTIONS", "TRACE": return .passing(.method, why: "responses to \(method) are not stored")
        default: return .unsafe(target)
        }
        // RFC 9110 §9.3.1: content of a GET has no defined meaning, so it is not part of the key.
        if case .none = request.body {
        } else {
            return .passing(.request, why: "responses to a \(method) with a body are not stored")
        }
        return scope(request, target, isHead: method == "HEAD", configuration)
    }

    private static func scope(
        _ request: TransportRequest, _ target: TargetURI, isHead: Bool, _ configuration: CacheConfiguration
    ) -> RequestScope {
        var found = RequestFacts.FoundFields()
        var hasControl = false
        var hasPragma = false
        for field in request.head.headerFields {
            let name = field.name.canonicalName
            // The length comes first: it rules out most other fields without a comparison of text.
            switch (name.utf8.count, name) {
            case (13, "authorization"): found.hasAuthorization = true
            case (6, "cookie") where request.account == nil:
                return .passing(
                    .bypass,
                    why: "the response to a request with Cookie is stored only for an account, and the request has none"
                )
            case (13, "cache-control"): hasControl = true
            case (6, "pragma"): hasPragma = hasPragma || CacheControl(field.value).noCache
            // Several lines are one list (RFC 9110 §5.3).
            case (13, "if-none-match"):
                found.ifNoneMatch = found.ifNoneMatch.map { $0 + ", " + field.value } ?? field.value
            case (17, "if-modified-since"): found.ifModifiedSince = found.ifModifiedSince ?? field.value
            // RFC 9110 §14.2: HEAD has no range.
            case (5, "range") where !isHead:
                found.range = ByteRange(field.value)
                guard found.range != nil else {
                    return .passing(.request, why: "only the origin can answer several ranges or another unit")
                }
            case (8, "if-range"): found.ifRange = field.value
            case (8, "if-match"), (19, "if-unmodified-since"):
                return .passing(.request, why: "only the origin can answer a request with \(field.name)")
            default: break
            }
        }
        // A shared cache follows RFC 9111 §3.5, which needs the stored response to decide.
        if found.hasAuthorization, request.account == nil, !configuration.isShared {
            return .passing(
                .bypass,
                why: "the response to a request with Authorization is stored only for an account, and the request has "
                    + "none")
        }
        var control = hasControl ? CacheControl(request.head.headerFields) : nil
        if !hasControl, hasPragma {
            // RFC 9111 §5.4: `Pragma` is for HTTP/1.0, and counts only without Cache-Control.
            control = CacheControl()
            control?.noCache = true
        }
        return .cacheable(
            RequestFacts(
                // HEAD is answered from the stored response to GET, so both share a key.
                key: CacheKey(
                    account: request.account, topLevelSite: request.topLevelSite, method: "GET", target: target.text),
                target: target, fields: request.head.headerFields, isHead: isHead, cacheControl: control, found: found
            )
        )
    }
}
