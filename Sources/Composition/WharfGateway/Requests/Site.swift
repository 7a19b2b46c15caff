internal import WharfCore

/// The two sides of a gateway: the names that clients may use, and the origin.
struct Site: Sendable {
    let scheme: String
    /// The host and port of the origin.
    let authority: String
    /// The scheme by which clients reach the gateway.
    let clientScheme: String
    /// The names of the gateway; nil if it can't know them all.
    let names: Set<HostName>?
    /// The same names by their texts. Nearly each request has one of them, and then none is parsed.
    private let texts: [String: HostName]
    /// Whether a gateway that can't know its names accepts any.
    private let acceptsUnknown: Bool

    /// - Parameter origin: an http or https URL without user, path and query.
    static func origin(_ origin: String) throws(GatewayError) -> (scheme: String, authority: String) {
        let error = GatewayError(
            .invalidOrigin,
            message: "expected an http or https URL without a path, such as https://api.example.com, found '\(origin)'")
        guard let colon = origin.firstIndex(of: ":") else { throw error }
        let scheme = origin[..<colon].lowercased()
        var rest = origin[origin.index(after: colon)...]
        guard scheme == "http" || scheme == "https", rest.hasPrefix("//") else { throw error }
        rest = rest.dropFirst(2)
        if rest.last == "/" { rest = rest.dropLast() }
        guard HostName(rest) != nil else { throw error }
        return (scheme, String(rest))
    }

    /// - Parameters:
    ///   - listening: the host and the port that the gateway listens at.
    ///   - isSecure: whether clients use https.
    ///   - names: further names.
    ///   - acceptsUnknown: whether a gateway on all interfaces accepts any name, if `names` is
    ///     empty.
    init(
        _ origin: (scheme: String, authority: String), listening: (host: String, port: Int), isSecure: Bool = false,
        names: Set<String>, acceptsUnknown: Bool = true
    ) throws(GatewayError) {
        (scheme, authority) = origin
        self.acceptsUnknown = acceptsUnknown
        clientScheme = isSecure ? "https" : "http"
        let defaultPort: UInt16 = isSecure ? 443 : 80
        var known: Set<HostName> = []
        for name in names {
            guard let name = HostName(name, defaultPort: defaultPort) else {
                throw GatewayError(
                    .invalidAddress, message: "expected a host such as api.example.com among the names, found '\(name)'"
                )
            }
            known.insert(name)
        }
        let host = listening.host
        // A gateway on all interfaces has names that it can't know.
        guard (host != "0.0.0.0" && host != "::") || !known.isEmpty else {
            self.names = nil
            texts = [:]
            return
        }
        let isLoopback = host.hasPrefix("127.") || host == "::1"
        let hosts = [host.contains(":") ? "[\(host)]" : host] + (isLoopback ? ["localhost"] : [])
        let all = known.union(hosts.compactMap { HostName("\($0):\(listening.port)", defaultPort: defaultPort) })
        self.names = all
        texts = Dictionary(uniqueKeysWithValues: all.map { ($0.description, $0) })
    }

    /// The host, without brackets, and the port of the origin.
    var endpoint: (host: String, port: Int) {
        let port = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].lastIndex(of: ":")
        var host = authority[..<(port ?? authority.endIndex)]
        if host.first == "[" { host = host.dropFirst().dropLast() }
        let number = port.flatMap { Int(authority[authority.index(after: $0)...]) }
        return (String(host), number ?? (scheme == "https" ? 443 : 80))
    }

    /// Parses a name by which a client addresses the gateway.
    func name(_ text: String) -> HostName? {
        texts[text] ?? HostName(text, defaultPort: clientScheme == "https" ? 443 : 80)
    }

    func accepts(_ name: HostName) -> Bool { names?.contains(name) ?? (acceptsUnknown || name.isOutsideDNS) }
}
