internal import WharfCore
internal import WharfPrimitives

extension LinkText {
    /// Parses host and port (RFC 3986 §3.2.2 and §3.2.3). Returns nil for an empty authority.
    mutating func site(of scheme: String) throws(RoutingError) -> Link.Site? {
        if isEmpty { return nil }
        guard !string.utf8.contains(UInt8(ascii: "@")) else {
            throw RoutingError(
                .malformedLink,
                message: "expected a host, found user info before an @ from byte \(start) on; take it out",
                offset: start)
        }
        let whole = self
        let host = try takeHost()
        guard !host.isEmpty, isEmpty || takeIf(":") else { throw whole.malformedHost() }
        let port = try port()
        return Link.Site(host: host, port: port == ["http": 80, "https": 443][scheme] ? nil : port)
    }

    private mutating func takeHost() throws(RoutingError) -> String {
        let whole = self
        if takeIf("[") {
            let address = take(until: "]").string.lowercased()
            // Only the characters are checked: the system reads the address when it connects.
            let isAddress = address.utf8.allSatisfy(OctetSet.ipv6Address.contains)
            guard takeIf("]"), isAddress, address.contains(":") else { throw whole.malformedHost() }
            return "[\(address)]"
        }
        let host = try take(until: ":").decoded()
        // Checked before lowercasing, which would turn U+212A (the Kelvin sign) into "k".
        guard host.utf8.allSatisfy(OctetSet.hostName.contains) else {
            throw whole.malformedHost()
        }
        return host.lowercased()
    }

    private func port() throws(RoutingError) -> UInt16? {
        if isEmpty { return nil }
        guard string.utf8.allSatisfy(OctetSet.digits.contains), let port = UInt16(string) else {
            throw RoutingError(
                .malformedLink,
                message: "expected a port from 0 to 65535 at byte \(start), found \"\(string)\"", offset: start)
        }
        return port
    }

    private func malformedHost() -> RoutingError {
        RoutingError(
            .malformedLink,
            message: "expected the name or address of a host from byte \(start) on, found \"\(string)\"; "
                + "write an international name as it is registered (xn--...)", offset: start)
    }
}
