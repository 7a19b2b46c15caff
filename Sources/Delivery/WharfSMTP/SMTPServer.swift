#if os(Linux)
public import WharfMessaging

/// A mail server that takes messages for other servers, and how to reach it.
///
/// ```swift
/// let server = try SMTPServer(
///     "smtp.example.com", credentials: SMTPCredentials(user: "wharf@example.com", password: password))
/// ```
///
/// The connection is encrypted, and the server's certificate is checked, before credentials or
/// messages are sent. A server that does not offer STARTTLS gets neither.
public struct SMTPServer: Hashable, Sendable {
    /// When the connection is encrypted.
    public enum Security: Hashable, Sendable {
        /// By STARTTLS (RFC 3207), usually at port 587. A server without STARTTLS is not used.
        case startTLS
        /// From the beginning (RFC 8314), usually at port 465.
        case tls
    }

    let host: String
    let port: Int
    /// nil: never encrypted.
    let security: Security?
    let credentials: SMTPCredentials?
    let authorities: String?
    let clientName: String?

    /// Creates a server that is reached by an encrypted connection.
    ///
    /// - Parameters:
    ///   - host: a name, or an IP address.
    ///   - port: nil for 587 with STARTTLS and 465 with TLS.
    ///   - authorities: the path of a PEM file with the authorities to trust; nil for
    ///     `SSL_CERT_FILE`, or the system's.
    ///   - clientName: the domain or IP address that EHLO names; nil for the name of this host.
    /// - Throws: `MessagingError.Code.invalidServer`
    public init(
        _ host: String, port: Int? = nil, security: Security = .startTLS, credentials: SMTPCredentials? = nil,
        authorities: String? = nil, clientName: String? = nil
    ) throws(MessagingError) {
        try self.init(
            host, port ?? (security == .tls ? 465 : 587), security, credentials, authorities: authorities,
            clientName: clientName)
    }

    /// Creates a server that is reached without encryption.
    ///
    /// Use it for a relay on this host or on a private network. It takes no credentials, since they
    /// would be readable on the way.
    ///
    /// - Throws: `MessagingError.Code.invalidServer`
    public static func unencrypted(
        _ host: String, port: Int = 25, clientName: String? = nil
    ) throws(MessagingError) -> SMTPServer {
        try SMTPServer(host, port, nil, nil, authorities: nil, clientName: clientName)
    }

    private init(
        _ host: String, _ port: Int, _ security: Security?, _ credentials: SMTPCredentials?, authorities: String?,
        clientName: String?
    ) throws(MessagingError) {
        // The host becomes part of a URL for libcurl, where another character could begin a path,
        // a query or credentials.
        guard Self.isHost(host), (1...65_535).contains(port) else {
            throw Self.invalid("a host name or an IP address, and a port from 1 to 65535", "\(host):\(port)")
        }
        if let clientName, !Self.isHost(clientName) {
            throw Self.invalid("a domain or an IP address as clientName", clientName)
        }
        // AUTH PLAIN separates user and password by NUL (RFC 4616 §2).
        if let credentials, (credentials.user + credentials.password).utf8.contains(0) || credentials.user.isEmpty {
            throw MessagingError(
                .invalidServer,
                message: "the credentials for \(host) lack a user or contain NUL; give both without NUL")
        }
        self.host = host
        self.port = port
        self.security = security
        self.credentials = credentials
        self.authorities = authorities
        self.clientName = clientName
    }

    var url: String {
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return "\(security == .tls ? "smtps" : "smtp")://\(bracketed):\(port)/\(client)"
    }

    /// The argument of EHLO as a path of the URL; empty for the name of this host.
    ///
    /// An address is a literal in brackets (RFC 5321 §4.1.3). A bare one is no domain, and servers
    /// refuse it.
    private var client: String {
        guard let clientName else { return "" }
        if clientName.contains(":") { return "%5BIPv6:\(clientName)%5D" }
        // Four numbers are an IPv4 address, which EHLO needs in brackets too.
        let numbers = clientName.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return isAddress ? "%5B\(clientName)%5D" : clientName
    }

    private static func isHost(_ text: String) -> Bool {
        // An IPv6 address has at least two colons.
        let isAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1
        return !text.isEmpty && text.utf8.count <= 253 && !text.hasPrefix("-")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
                    true
                case UInt8(ascii: "-"): !isAddress
                case UInt8(ascii: ":"): isAddress
                default: false
                }
            }
    }

    private static func invalid(_ expected: String, _ found: String) -> MessagingError {
        MessagingError(.invalidServer, message: "expected \(expected), found \(found.debugDescription)")
    }
}
#endif
