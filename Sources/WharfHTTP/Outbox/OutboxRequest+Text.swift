internal import WharfCore

extension OutboxRequest {
    /// Whether it says where it goes: an absolute http or https URL, not a path below the base URL
    /// of a destination. Whoever has the entry can send it then, but for what the destination's
    /// middleware adds.
    public var isSelfContained: Bool { url.map { $0.scheme != "file" } ?? false }

    /// Its line and its fields, as HTTP/1.1 writes them but for the version, each on a line without
    /// its end: to be read by people.
    ///
    /// Secrets are left out as ``WharfCore/TransportRequest/curl(revealing:)`` leaves them out, but
    /// that the body is not part of it.
    ///
    /// - Parameter revealing: true for everything.
    public func head(revealing: Bool = false) -> [String] {
        let fields = fields.map { field in
            "\(field.name.rawName): \(revealing || HTTPField.Name.harmless.contains(field.name) ? field.value : "***")"
        }
        return ["\(method.rawValue) \(revealing ? address : redactedAddress)"] + fields
    }

    private var redactedAddress: String {
        let mark = address.firstIndex(of: "?") ?? address.endIndex
        let query = String(address[mark...].prefix { $0 != "#" })
        // A path of its own, so that what is no URL is told by the same rule.
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
            // Why it is none is the destination's to tell.
            return nil
        }
    }
}
