internal import WharfCore

extension OutboxRequest {
    /// Whether the address is an absolute http or https URL.
    ///
    /// Otherwise it is a path below a destination's base URL. A self-contained request can be sent
    /// without that destination, except for the additions of its middleware.
    public var isSelfContained: Bool { url.map { $0.scheme != "file" } ?? false }

    /// Returns the request line and the field lines, readable by people.
    ///
    /// The HTTP version is omitted. Secrets are left out as by
    /// ``WharfCore/TransportRequest/curl(revealing:)``. The body is not part of the result.
    ///
    /// - Parameter revealing: true to show the secrets.
    public func head(revealing: Bool = false) -> [String] {
        let fields = fields.map { field in
            "\(field.name.rawName): \(revealing || HTTPField.Name.harmless.contains(field.name) ? field.value : "***")"
        }
        return ["\(method.rawValue) \(revealing ? address : redactedAddress)"] + fields
    }

    private var redactedAddress: String {
        let mark = address.firstIndex(of: "?") ?? address.endIndex
        let query = String(address[mark...].prefix { $0 != "#" })
        // Redacts the query alone, so that an address that is no URL is redacted by the same rules.
        let redacted = HTTPRequest(method: method, scheme: "http", authority: "", path: query).redactedURL()
        return withoutUser(address[..<mark]) + redacted.dropFirst("http://".count)
    }

    private func withoutUser(_ address: Substring) -> String {
        guard let start = address.firstRange(of: "://")?.upperBound else { return String(address) }
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        guard let at = address[start..<end].lastIndex(of: "@") else { return String(address) }
        return address[..<start] + "***" + address[at...]
    }

    private var url: AbsoluteURL? {
        do throws(ReadFailure) {
            return try AbsoluteURL(address)
        } catch {
            // The destination reports why the address is no URL.
            return nil
        }
    }
}
