package import WharfCore

/// A request's target URI in the normal form of ``CacheKey/target``.
///
/// It resolves URI references relative to itself.
package struct TargetURI: Sendable, Hashable {
    /// Scheme, authority, path and query in normal form.
    package let text: String
    private let originLength: Int

    /// Scheme and authority: `https://example.com`.
    package var origin: Substring { Substring(text.utf8.prefix(originLength)) }

    /// Path and query; it begins with a slash.
    package var path: Substring { Substring(text.utf8.dropFirst(originLength)) }

    /// Returns the target of a request.
    ///
    /// - Returns: nil for another scheme than http and https, and without an authority.
    package static func of(_ request: HTTPRequest) -> TargetURI? {
        guard let scheme = request.scheme, let authority = request.authority else { return nil }
        return TargetURI(scheme: scheme, authority: authority, path: request.path ?? "/")
    }

    private init?(scheme: String, authority: String, path: String) {
        // RFC 3986 §3.1: schemes are compared without case. The common spellings need no copy.
        let scheme = scheme == "https" || scheme == "http" ? scheme : scheme.lowercased()
        guard scheme == "https" || scheme == "http", !authority.isEmpty else { return nil }
        let host = Self.normal(authority, scheme)
        // A fragment is not part of the target (RFC 9110 §7.1), and would split one resource's key.
        let path = path.utf8.isFree { $0 == UInt8(ascii: "#") } ? path : Self.withoutFragment(path)
        // A hit allocates this string only.
        var text = ""
        text.reserveCapacity(scheme.utf8.count + host.utf8.count + path.utf8.count + 4)
        text += scheme == "https" ? "https://" : "http://"
        text += host
        originLength = text.utf8.count
        // An empty path equals "/" (RFC 9110 §4.2.3).
        if path.utf8.first != UInt8(ascii: "/") { text += "/" }
        text += path
        self.text = text
    }

    private static func withoutFragment(_ path: String) -> String {
        // By bytes: a mark after "#" would make another character of it.
        var kept = path.utf8.prefix { $0 != UInt8(ascii: "#") }
        // `HTTPRequest` makes spaces of control characters and trims the ends of a path. A space
        // before the fragment would give the same request a second key.
        while kept.last == UInt8(ascii: " ") || kept.last == UInt8(ascii: "\t") { kept.removeLast() }
        return String(Substring(kept))
    }

    private static func normal(_ authority: String, _ scheme: String) -> String {
        let port = scheme == "https" ? ":443" : ":80"
        // The authority of a gateway has a port, so only the default one takes the slow way.
        let isPlain =
            authority.utf8.isFree { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "@")
            } && authority.utf8.last != UInt8(ascii: ":")
            && !authority.utf8.suffix(port.utf8.count).elementsEqual(port.utf8)
        if isPlain { return authority }
        // User info keeps its case; host and port follow the last `@`.
        let at = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        var host = authority[at...].lowercased()
        // RFC 9110 §4.2.3, RFC 3986 §6.2.3: the default port and an empty port equal none.
        for suffix in [port, ":"] where host.hasSuffix(suffix) {
            host.removeLast(suffix.utf8.count)
        }
        return authority[..<at] + host
    }

    /// Resolves a reference, such as that of `Location` (RFC 3986 §5.2).
    ///
    /// - Returns: nil if the result is not http or https.
    package func resolve(_ reference: String) -> TargetURI? {
        let reference = Substring(reference.utf8.prefix { $0 != UInt8(ascii: "#") })
        if let colon = reference.firstIndex(of: ":"), Self.isScheme(reference[..<colon]) {
            let rest = reference[reference.index(after: colon)...]
            // A scheme without an authority, such as `mailto:`, is no target.
            guard rest.hasPrefix("//") else { return nil }
            return Self.split(scheme: String(reference[..<colon]), rest.dropFirst(2))
        }
        let scheme = String(origin.prefix { $0 != ":" })
        if reference.hasPrefix("//") { return Self.split(scheme: scheme, reference.dropFirst(2)) }
        let authority = String(origin.dropFirst(scheme.count + 3))
        let own = path.prefix { $0 != "?" }
        let target: String =
            // RFC 3986 §5.2.2: an empty reference keeps path and query.
            if reference.isEmpty {
                String(path)
            } else if reference.hasPrefix("/") {
                Self.withoutDots(reference)
            } else if reference.hasPrefix("?") {
                // A query alone keeps the path.
                String(own + reference)
            } else {
                // RFC 3986 §5.2.3: the reference replaces all after the last slash.
                Self.withoutDots(own[...(own.lastIndex(of: "/") ?? own.startIndex)] + reference)
            }
        return TargetURI(scheme: scheme, authority: authority, path: target)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func split(scheme: String, _ rest: Substring) -> TargetURI? {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        return TargetURI(scheme: scheme, authority: String(rest[..<end]), path: withoutDots(rest[end...]))
    }

    /// Removes dot segments (RFC 3986 §5.2.4), except in the query.
    private static func withoutDots(_ text: Substring) -> String {
        let pathEnd = text.firstIndex(of: "?") ?? text.endIndex
        var kept: [Substring] = []
        let segments = text[..<pathEnd].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in zip(segments.indices, segments) {
            let isLast = index == segments.endIndex - 1
            switch segment {
            case ".", "..":
                // A `..` above the root is dropped (RFC 3986 §5.2.4).
                if segment == "..", !kept.isEmpty { kept.removeLast() }
                // A dot segment at the end leaves its slash.
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/") + text[pathEnd...]
    }
}

extension String.UTF8View {
    /// Returns whether no byte satisfies the predicate. It walks the contiguous bytes, which costs
    /// a fraction of walking the view.
    fileprivate func isFree(of isLikeThat: (UInt8) -> Bool) -> Bool {
        withContiguousStorageIfAvailable { bytes in
            for byte in bytes where isLikeThat(byte) { return false }
            return true
        } ?? !contains(where: isLikeThat)
    }
}
