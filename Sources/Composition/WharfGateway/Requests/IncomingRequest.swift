#if Server
internal import NIOHTTP1
internal import WharfCore
internal import WharfPrimitives

/// A request whose head is valid, as it is passed on to the origin.
struct IncomingRequest: Sendable {
    /// The framing of a body.
    enum Body: Sendable, Equatable {
        case none
        case known(Int64)
        case chunked
    }

    /// The head for the origin, without the fields of the client's connection.
    let head: HTTPRequest
    let body: Body
    /// Whether the client waits for 100 (Continue) before it sends the body.
    let expectsContinue: Bool
    /// Whether another request may follow on the connection.
    let isKeepAlive: Bool
    let version: ClientVersion
    /// Whether it is the handshake of a WebSocket (RFC 6455 §4.1).
    let opensWebSocket: Bool

    /// Checks a head, and makes the origin's request of it.
    ///
    /// SwiftNIO's parser has refused most malformed heads before. A head of HTTP/2 is in the form
    /// of HTTP/1.1, as `StreamHead` makes it.
    ///
    /// - Parameters:
    ///   - client: the client's address.
    /// - Throws: the answer to a request that must not be passed on.
    init(
        _ received: HTTPRequestHead, to site: Site, _ configuration: GatewayConfiguration, client: String?
    ) throws(Refusal) {
        body = try Self.framing(received, limit: configuration.requestBodyLimit)
        let host = try Self.host(received, site)
        let target = try Self.target(received, host, site)
        version = ClientVersion(received.version)
        let method = Self.method(received.method)
        guard let parsed = HTTPRequest.Method(method) else { throw .malformed("its method is no token") }

        var fields = HTTPFields()
        let hopByHop = HopByHop(connection: received.headers[canonicalForm: "connection"].map(String.init))
        var expectation: String?
        for (name, value) in received.headers {
            guard let parsed = HTTPField.Name(name) else { throw .malformed("a field has an invalid name") }
            let lower = parsed.canonicalName
            switch (lower.utf8.count, lower) {
            // The transport sends the framing and the host of its own request.
            case (4, "host"), (14, "content-length"): continue
            case (6, "expect"): expectation = value
            // It is for the next proxy of the client (RFC 9110 §11.7.2), and the origin is none.
            case (19, "proxy-authorization"): continue
            default:
                if !hopByHop.contains(lower) { fields.append(HTTPField(name: parsed, value: value)) }
            }
        }
        if let expectation, expectation.lowercased() != "100-continue" {
            throw Refusal(417, "the expectation '\(expectation)' is not known; send the request without Expect")
        }
        // RFC 9110 §10.1.1: an HTTP/1.0 client does not wait.
        expectsContinue = expectation != nil && version != .http10 && body != .none
        if parsed == .options { try Self.countDown(&fields) }
        fields.append(HTTPField(name: .via, value: "\(version.rawValue) \(configuration.name)"))
        ForwardedFields(forwarding: configuration.forwarding, names: configuration.forwardingFields)
            .apply(to: &fields, client: client, scheme: site.clientScheme, host: host?.description)
        head = HTTPRequest(
            method: parsed, scheme: site.scheme, authority: site.authority, path: target, headerFields: fields)
        // After an ignored Upgrade the parser stops, so no further request can be read.
        opensWebSocket =
            version == .http11 && parsed == .get && body == .none
            && Self.members("upgrade", of: received).contains("websocket")
            && Self.members("connection", of: received).contains("upgrade")
        isKeepAlive =
            version != .http10 && received.isKeepAlive && !received.headers.contains(name: "upgrade")
    }

    /// Determines the framing of the body (RFC 9112 §6.3).
    ///
    /// Two readings of a message are the cause of request smuggling, so an ambiguous one is
    /// refused.
    private static func framing(_ received: HTTPRequestHead, limit: Int64?) throws(Refusal) -> Body {
        let lengths = received.headers["content-length"]
        let codings = received.headers["transfer-encoding"]
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw .malformed("it has both Content-Length and Transfer-Encoding") }
            // RFC 9112 §6.1: HTTP/1.0 has no transfer codings, so its framing is faulty.
            guard ClientVersion(received.version) != .http10 else {
                throw .malformed("it is HTTP/1.0 with Transfer-Encoding")
            }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw Refusal(501, "the transfer coding is not known; send the body with chunked alone")
            }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int64(text) else {
            throw .malformed("its Content-Length is not one number")
        }
        if let limit, length > limit { throw .tooLarge(limit) }
        return length == 0 ? .none : .known(length)
    }

    /// Returns the value of `Host`; nil if HTTP/1.0 has none.
    private static func host(_ received: HTTPRequestHead, _ site: Site) throws(Refusal) -> HostName? {
        // RFC 9112 §3.2: a missing, repeated or invalid Host is answered with 400.
        let values = received.headers["host"]
        guard values.count <= 1 else { throw .malformed("it has several Host fields") }
        guard let value = values.first else {
            guard ClientVersion(received.version) == .http10 else { throw .malformed("it has no Host field") }
            return nil
        }
        guard let host = site.name(value) else { throw .malformed("its Host is not a host with an optional port") }
        return host
    }

    /// Returns the path and query (RFC 9112 §3.2).
    private static func target(
        _ received: HTTPRequestHead, _ host: HostName?, _ site: Site
    ) throws(Refusal) -> String {
        if received.method == .CONNECT || received.method == .TRACE {
            // TRACE would show the fields that other proxies added (RFC 9110 §9.3.8).
            throw Refusal(501, "\(received.method.rawValue) is not supported; send another method")
        }
        var target = received.uri[...]
        var named = host
        if !target.hasPrefix("/"), target != "*" {
            // The absolute form. Its authority counts, and Host is ignored (RFC 9112 §3.2.2).
            // HTTP/2 has no absolute form (RFC 9113 §8.3.1).
            guard ClientVersion(received.version) != .http2, let slashes = target.firstRange(of: "://") else {
                throw .malformed("its target is no path")
            }
            let rest = target[slashes.upperBound...]
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            guard let name = site.name(String(rest[..<end])) else { throw .malformed("its target has an invalid host") }
            guard target[..<slashes.lowerBound].lowercased() == site.clientScheme else { throw misdirected(name) }
            named = name
            target = rest[end...]
            if !target.hasPrefix("/") { target = "/" + target }
        }
        if let named, !site.accepts(named) { throw misdirected(named) }
        try check(target)
        if target == "*" {
            guard received.method == .OPTIONS else { throw .malformed("its target is *, which is for OPTIONS") }
            throw .ownOptions
        }
        return String(target)
    }

    /// Returns the members of a field, in lower case.
    private static func members(_ name: String, of received: HTTPRequestHead) -> [String] {
        received.headers[canonicalForm: name].map { $0.lowercased() }
    }

    private static func misdirected(_ name: HostName) -> Refusal {
        Refusal(421, "this gateway does not serve \(name); use its own address, or add the name to its names")
    }

    private static func check(_ target: Substring) throws(Refusal) {
        // RFC 3986 §2: other characters are percent-encoded, and a fragment is not sent.
        var hasEscape = false
        for byte in target.utf8 {
            guard (0x21...0x7e).contains(byte), byte != UInt8(ascii: "#") else {
                throw .malformed("its target has a character that must be percent-encoded")
            }
            if byte == UInt8(ascii: "%") { hasEscape = true }
        }
        if hasEscape, let escape = InvalidEscape(in: target) { throw .malformed(escape.message) }
    }

    /// Applies `Max-Forwards` to OPTIONS (RFC 9110 §7.6.2).
    private static func countDown(_ fields: inout HTTPFields) throws(Refusal) {
        guard let text = fields[.maxForwards], let number = Int(text) else { return }
        guard number > 0 else { throw .ownOptions }
        fields[.maxForwards] = String(number - 1)
    }

    private static func method(_ method: HTTPMethod) -> String {
        // SwiftNIO prints it without its hyphen.
        method == .MSEARCH ? "M-SEARCH" : method.rawValue
    }
}

extension Refusal {
    /// The answer to OPTIONS that is meant for the gateway.
    fileprivate static var ownOptions: Refusal {
        Refusal(200, "this gateway passes on every method but CONNECT and TRACE")
    }

    /// The answer to bytes that are no HTTP/1.1 request.
    init(_ error: HTTPParserError, headLimit: Int) {
        switch error {
        case .headerOverflow: self = .longHead(headLimit)
        case .invalidMethod: self.init(501, "the method is not known; send another method")
        case .invalidVersion: self.init(505, "the version is not supported; send HTTP/1.1")
        default: self = .malformed("\(error)")
        }
    }
}
#endif
