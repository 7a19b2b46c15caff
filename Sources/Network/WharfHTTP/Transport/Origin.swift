package import WharfCore

/// Scheme, host and port (RFC 6454 §4): the scope of a credential.
package struct Origin: Sendable, Hashable {
    private let scheme: String
    /// Host and port in lower case, without user info and without the scheme's default port.
    private let authority: String

    /// Nil for a scheme other than http and https. Files have no origin.
    package init?(scheme: String, authority: String) {
        self.scheme = scheme.lowercased()
        let host = authority.split(separator: "@").last.map { $0.lowercased() } ?? ""
        switch self.scheme {
        case "https": self.authority = Self.dropping(":443", from: host)
        case "http": self.authority = Self.dropping(":80", from: host)
        default: return nil
        }
    }

    package init?(of head: HTTPRequest) { self.init(scheme: head.scheme ?? "", authority: head.authority ?? "") }

    private static func dropping(_ port: String, from host: String) -> String {
        host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }
}
