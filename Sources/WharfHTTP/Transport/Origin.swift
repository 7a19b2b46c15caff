package import WharfCore

/// Scheme, host and port (RFC 6454 §4): how far a credential goes.
package struct Origin: Sendable, Hashable {
    private let scheme: String
    /// In lower case, without user info, and without the port that the scheme has anyway.
    private let authority: String

    /// Nil for what is not http or https. Files are of no origin.
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
