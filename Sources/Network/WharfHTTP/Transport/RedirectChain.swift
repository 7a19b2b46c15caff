internal import Foundation
internal import WharfCore
internal import WharfPrimitives

/// The state of a chain of redirects. Given a response's head, it makes the next request.
struct RedirectChain {
    private struct Step: Hashable {
        let method: HTTPRequest.Method
        let target: String
    }

    private var request: TransportRequest
    private var visited: Set<Step> = []
    private var followed = 0
    private(set) var leftCredentialsBehind = false
    private let limit: Int

    init(_ request: TransportRequest, limit: Int) {
        self.request = request
        self.limit = limit
        visited.insert(Self.step(request.head))
    }

    /// Returns the next request; nil if the response is the final one.
    mutating func next(after head: HTTPResponse) throws(TransportError) -> TransportRequest? {
        // 304 belongs to the cache, and 300 leaves the choice to the user (RFC 9110 §15.4.1).
        guard [301, 302, 303, 307, 308].contains(head.status.code), let location = head.headerFields[.location] else {
            return nil
        }
        if let escape = InvalidEscape(in: location) {
            throw TransportError(.invalidResponse, message: "in Location: \(escape.message)", response: head)
        }
        guard let target = Self.resolve(location, against: request.head) else {
            throw TransportError(
                .invalidResponse,
                message: "expected a URL in Location, found \"\(RedactedURL.text(location))\"", response: head)
        }
        try check(target, head)
        followed += 1
        guard followed <= limit else {
            throw TransportError(
                .tooManyRedirects, message: "too many redirects: after \(limit), one more leads to \(target.text)",
                response: head)
        }
        var next = request
        // A redirect may name any server, and a credential must not reach it (RFC 9110 §15.4).
        if !target.hasOrigin(of: next.head) {
            next.head.dropCredentials()
            // Never reset: a chain that returns to the first origin may have been led by another
            // one.
            leftCredentialsBehind = true
        }
        next.head.scheme = target.scheme
        next.head.authority = target.authority
        next.head.path = target.path
        next.changeMethod(for: head.status)
        // The method is part of the step: a POST that is redirected by 303 to its own URL is no
        // loop.
        guard visited.insert(Self.step(next.head)).inserted else {
            throw TransportError(
                .tooManyRedirects, message: "redirect loop: \(target.text) was requested before in this chain",
                response: head)
        }
        request = next
        return next
    }

    private func check(_ target: RedirectTarget, _ head: HTTPResponse) throws(TransportError) {
        // From https to http the request would be readable on the way.
        let isDowngrade = request.head.scheme?.lowercased() == "https" && target.scheme == "http"
        guard target.scheme == "https" || target.scheme == "http", !isDowngrade else {
            throw TransportError(
                .unsafeRedirect,
                message: "the redirect to \(target.text) is not followed; it must lead to "
                    + "https\(isDowngrade ? "" : " or http")",
                response: head)
        }
    }

    private static func step(_ head: HTTPRequest) -> Step {
        Step(
            method: head.method,
            target: "\(head.scheme?.lowercased() ?? "")://\(head.authority?.lowercased() ?? "")\(head.path ?? "/")")
    }

    /// Resolves a reference (RFC 3986 §5). The fragment is dropped: it is not sent to servers.
    static func resolve(_ location: String, against head: HTTPRequest) -> RedirectTarget? {
        let base = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")"
        guard let baseURL = URL(string: base, encodingInvalidCharacters: false),
            let url = URL(string: encoded(location), relativeTo: baseURL)
        else { return nil }
        return RedirectTarget(url.absoluteURL)
    }

    /// Encodes characters that no URL may hold, and keeps escapes.
    private static func encoded(_ location: String) -> String {
        PercentEncoding.encode(location, keeping: OctetSet.uri.union("%"))
    }
}

/// The target of a redirect.
struct RedirectTarget {
    let scheme: String
    let authority: String
    let path: String

    /// The URL for messages, without its query: presigned URLs and sign-in codes hold secrets
    /// there.
    var text: String { "\(scheme)://\(authority)\(path.prefix { $0 != "?" })" }

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased() else { return nil }
        self.scheme = scheme
        let host = url.host(percentEncoded: true) ?? ""
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = name + (url.port.map { ":\($0)" } ?? "")
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        self.path = (path.isEmpty ? "/" : path) + query
        if scheme == "http" || scheme == "https", host.isEmpty { return nil }
    }

    func hasOrigin(of head: HTTPRequest) -> Bool {
        let origin = Origin(scheme: scheme, authority: authority)
        return origin != nil && origin == Origin(of: head)
    }
}

extension HTTPRequest {
    /// Keeps only the fields that any server may see.
    fileprivate mutating func dropCredentials() {
        headerFields = HTTPFields(headerFields.filter { HTTPField.Name.harmless.contains($0.name) })
    }
}

extension TransportRequest {
    /// Changes the method as RFC 9110 §15.4.2 to §15.4.9 require.
    fileprivate mutating func changeMethod(for status: HTTPResponse.Status) {
        switch status.code {
        // RFC 9110 §15.4.2, §15.4.3: for historical reasons POST becomes GET. Other methods stay.
        case 301, 302: guard head.method == .post else { return }
        // RFC 9110 §15.4.4: the answer is at another URL, which is read by GET or HEAD.
        case 303: guard head.method != .head, head.method != .get else { return }
        // RFC 9110 §15.4.8, §15.4.9: 307 and 308 keep the method.
        default: return
        }
        head.method = .get
        body = .none
        // `If-Match` and `If-Unmodified-Since` are preconditions of the change, which is made by
        // now.
        let names: [HTTPField.Name] = [
            .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .ifMatch,
            .ifUnmodifiedSince,
        ]
        for name in names { head.headerFields[name] = nil }
    }
}
