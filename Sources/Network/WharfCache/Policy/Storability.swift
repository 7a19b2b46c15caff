package import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Whether a response may be stored (RFC 9111 §3).
package enum Storability: Sendable, Hashable {
    case storable
    case refused(Reason)

    package enum Reason: String, Sendable, Hashable {
        case head = "an answer to HEAD has no body to keep"
        case status = "this status is not kept"
        case part = "a part is kept only with one range, known lengths and a strong validator"
        case requestNoStore = "the request says no-store"
        case noStore = "no-store"
        case privateAnswer = "private, and this cache is shared"
        case authorization = "the request has Authorization, and the answer does not permit sharing"
        case notUnderstood = "must-understand, and this status is not understood"
        case varyAny = "Vary: * never matches another request"
        case varyCredentials = "Vary names a credential that the request carries, and no account stands for it"
        case noLifetime = "no explicit lifetime, and the status has no heuristic one"
    }

    package init(_ request: RequestFacts, _ response: HTTPResponse, isShared: Bool) {
        let directives = ResponseDirectives(response.headerFields, isShared: isShared)
        if let reason = Self.refusal(request, response, directives, isShared) {
            self = .refused(reason)
        } else {
            self = .storable
        }
    }

    private static func refusal(
        _ request: RequestFacts, _ response: HTTPResponse, _ directives: ResponseDirectives, _ isShared: Bool
    ) -> Reason? {
        let (status, control) = (response.status, directives.control)
        if request.isHead { return .head }
        // Interim responses and confirmations (304) are no answers. A 416 is about a range, and the
        // key has none.
        guard status.code >= 200, status.code != 304, status.code != 416 else { return .status }
        // RFC 9111 §3.3.
        if status.code == 206, !isKeepable(part: response, of: request) { return .part }
        if request.cacheControl?.noStore == true { return .requestNoStore }
        // RFC 9111 §5.2.2.3: with must-understand, no-store is for caches that don't understand the
        // status.
        if control.noStore, !control.mustUnderstand || !status.isUnderstood { return .noStore }
        if control.mustUnderstand, !status.isUnderstood { return .notUnderstood }
        if isShared, control.isPrivate { return .privateAnswer }
        if isShared, request.hasAuthorization, !control.permitsSharingAuthorized { return .authorization }
        let vary = VaryFields(response.headerFields)
        if vary == .any { return .varyAny }
        if vary.namesCredentials(of: request.fields, account: request.key.account) { return .varyCredentials }
        if directives.isExplicit(isShared: isShared) { return nil }
        // A server failure is stored only if the origin asks for it.
        if status.isServerFailure { return .noLifetime }
        if status.isHeuristicallyCacheable { return nil }
        // RFC 9111 §3 permits storing a response with public, or with private in a private cache.
        return control.isPublic || control.isPrivate ? nil : .noLifetime
    }

    /// Returns whether the bytes of a partial response (206) are known, and can be told from those
    /// of other versions.
    private static func isKeepable(part response: HTTPResponse, of request: RequestFacts) -> Bool {
        // RFC 9110 §15.3.7: only a request with a range gets a part.
        request.range != nil && response.contentRange != nil && response.hasStrongValidator
    }
}

extension CacheControl {
    /// Whether a shared cache may store the response to a request with `Authorization` (RFC 9111
    /// §3.5).
    var permitsSharingAuthorized: Bool { isPublic || mustRevalidate || sharedMaxAge != nil }
}

extension HTTPResponse {
    /// Whether the bytes of this version can be told from those of others (RFC 9110 §8.8.1).
    var hasStrongValidator: Bool {
        let date = headerFields[.date].flatMap(WallTime.init(httpDate:))
        let validators = Validators(headerFields, date: date ?? .distantPast)
        // Without the origin's Date, no Last-Modified is strong (RFC 9110 §8.8.2.2).
        return validators.strong != nil && (validators.eTag != nil || date != nil)
    }

    /// Returns the fields that may be stored (RFC 9111 §3.1). Fields of the connection are dropped,
    /// and so are those that a qualified `no-cache` or `private` names.
    ///
    /// - Parameter keepsCookies: false drops `Set-Cookie`. A cookie is for the client that sent the
    ///   request. Without an account the entry answers all clients, and each would get the first
    ///   client's session. ``CacheConfiguration/storesSetCookie`` permits that.
    func storableFields(isShared: Bool, keepsCookies: Bool) -> HTTPFields {
        let control = ResponseDirectives(headerFields, isShared: isShared).control
        var dropped = Set(HTTPField.Name.ofConnection)
        // Connection names more fields of the connection (RFC 9110 §7.6.1).
        for field in headerFields where field.name == .connection {
            dropped.formUnion(FieldList.members(field.value).compactMap { HTTPField.Name(String($0)) })
        }
        // RFC 9111 §5.2.2.4: the qualified form applies to the named fields alone.
        dropped.formUnion(control.noCacheFields)
        if isShared { dropped.formUnion(control.privateFields) }
        if !keepsCookies { dropped.formUnion(HTTPField.Name.ofCookies) }
        return HTTPFields(headerFields.filter { !dropped.contains($0.name) })
    }
}

extension HTTPField.Name {
    /// The fields that set a cookie (RFC 6265 §4.1). The second one is of RFC 2965, which is
    /// obsolete.
    static let ofCookies: [HTTPField.Name] = [.setCookie] + ["Set-Cookie2"].compactMap { HTTPField.Name($0) }

    /// The fields of one connection or one proxy (RFC 9110 §7.6.1, RFC 9111 §3.1).
    fileprivate static let ofConnection: [HTTPField.Name] =
        [
            .connection, .te, .trailer, .transferEncoding, .upgrade, .proxyAuthenticate, .proxyAuthenticationInfo,
            .proxyAuthorization,
        ] + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
