internal import WharfCore

/// Adds the fields by which the origin sees the client behind the gateway.
struct ForwardedFields: Sendable {
    private static let xForwarded: [HTTPField.Name] = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"]
        .compactMap { HTTPField.Name($0) }
    private static let forwarded = HTTPField.Name("Forwarded")

    let forwarding: GatewayConfiguration.Forwarding
    let names: GatewayConfiguration.ForwardingFields

    /// Applies the policy to the fields of a request.
    ///
    /// - Parameters:
    ///   - client: the client's address; nil if the socket does not tell it.
    ///   - scheme: the scheme by which the client reaches the gateway.
    ///   - host: the value of `Host`.
    func apply(to fields: inout HTTPFields, client: String?, scheme: String, host: String?) {
        if forwarding != .append {
            for name in Self.xForwarded where fields.contains(name) { fields[name] = nil }
            if let forwarded = Self.forwarded, fields.contains(forwarded) { fields[forwarded] = nil }
        }
        guard forwarding != .remove else { return }
        switch names {
        case .xForwarded:
            let values = [client, scheme, host]
            for (name, value) in zip(Self.xForwarded, values) {
                guard let value else { continue }
                guard fields.contains(name) else {
                    fields.append(HTTPField(name: name, value: value))
                    continue
                }
                // A proxy before this one has seen the client's own scheme and host.
                if name == Self.xForwarded[0], let before = fields[name] { fields[name] = "\(before), \(value)" }
            }
        case .forwarded:
            guard let name = Self.forwarded else { return }
            var element = "for=\(client.map(Self.node) ?? "unknown");proto=\(scheme)"
            if let host { element += ";host=\"\(host)\"" }
            fields[name] = fields[name].map { "\($0), \(element)" } ?? element
        }
    }

    /// Returns the address as a node (RFC 7239 §6): an IPv6 address in brackets and quotes.
    private static func node(_ address: String) -> String { address.contains(":") ? "\"[\(address)]\"" : address }
}
