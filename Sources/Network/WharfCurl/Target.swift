#if os(Linux)
internal import WharfCore
internal import WharfPrimitives

/// The parsed target of a request. It is parsed once, so that the pins are checked for the same
/// host that libcurl connects to.
struct Target {
    let isSecure: Bool
    /// The percent-decoded host, with the brackets of an IPv6 address, without user info and port.
    let host: String
    /// Scheme, host and port. Requests with the same origin can share connections.
    let origin: String
    /// The URL for libcurl, without user info: libcurl would send it as a credential, unasked.
    let url: String
    /// Whether the request is `OPTIONS *`, which has no path (RFC 9112 §3.2.4).
    let isAsterisk: Bool

    /// - Throws: ``WharfCore/TransportError/Code/invalidRequest`` for another scheme, an invalid
    ///   host or port, and bytes that a URL can't hold.
    init(_ head: HTTPRequest) throws(TransportError) {
        let scheme = head.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .invalidRequest,
                message: "expected the scheme http or https, found \"\(scheme)\"; FileTransport reads file: URLs")
        }
        guard let (host, port) = Self.hostAndPort(of: head.authority ?? "") else {
            throw TransportError(
                .invalidRequest,
                message: "\(head.redacted()) can't be sent: it names no host to connect to; give a name in ASCII or an "
                    + "address, and a port up to 65535")
        }
        try head.checkEscapes()
        let path = head.path ?? "/"
        if let place = Self.firstInvalidByte(in: path) {
            throw TransportError(
                .invalidRequest,
                message:
                    "\(head.redacted()) can't be sent: a URL can't hold byte \(place) of its path and query; "
                    + "percent-encode it")
        }
        isSecure = scheme == "https"
        self.host = host
        origin = "\(scheme)://\(host.lowercased())\(port)"
        isAsterisk = path == "*" && head.method == .options
        url = "\(scheme)://\(host)\(port)\(isAsterisk ? "" : path.hasPrefix("/") ? path : "/" + path)"
    }

    /// - Returns: host and port. The port is empty or begins with its colon.
    private static func hostAndPort(of authority: String) -> (host: String, port: String)? {
        // A password may contain an unescaped `@`; the host follows the last one.
        let text = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // Search after the brackets of an IPv6 address, which has colons of its own.
        let start = text.lastIndex(of: "]") ?? text.startIndex
        let colon = text[start...].lastIndex(of: ":")
        let port = colon.map { text[text.index(after: $0)...] } ?? ""
        // `UInt16` accepts a sign, so the digits are checked first.
        guard port.utf8.allSatisfy(OctetSet.digits.contains), port.isEmpty || UInt16(port) != nil else { return nil }
        guard let host = host(from: text[..<(colon ?? text.endIndex)]) else { return nil }
        return (host, port.isEmpty ? "" : ":\(port)")
    }

    private static func host(from text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = text.dropFirst().dropLast()
            return !address.isEmpty && address.utf8.allSatisfy(addressOctets.contains) ? String(text) : nil
        }
        let host = PercentDecoding.path(text)
        // A decoded `/`, `?` or `@` would end the host in libcurl's URL. It would connect to
        // another host than the one whose pins were found.
        return !host.isEmpty && host.utf8.allSatisfy(OctetSet.unreserved.contains) ? host : nil
    }

    /// The octets of an IP address with the zone of a link-local one (RFC 6874).
    private static let addressOctets = OctetSet.unreserved.union(":%")
    private static let pathOctets = OctetSet.uri.subtracting("#").union("%")

    /// Returns the position of the first invalid byte. It counts from 1, like that of an invalid
    /// escape. A fragment is not part of a request.
    private static func firstInvalidByte(in path: String) -> Int? {
        path.utf8.enumerated().first { !pathOctets.contains($0.element) }.map { $0.offset + 1 }
    }
}
#endif
