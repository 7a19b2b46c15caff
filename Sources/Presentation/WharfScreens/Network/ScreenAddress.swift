internal import WharfCore
internal import WharfPlayback

/// The address of a receiver, and the requests to it.
struct ScreenAddress: Sendable {
    private let scheme: String
    private let authority: String
    private let path: String

    /// - Parameter url: an absolute `http` or `https` URL without a query.
    init(_ url: String) throws(PlaybackError) {
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), parts[1].hasPrefix("//"),
            !url.contains(where: { "?#".contains($0) || $0.isWhitespace })
        else { throw Self.malformed(url) }
        let rest = parts[1].dropFirst(2)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty else { throw Self.malformed(url) }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path = path.dropLast() }
        (scheme, self.authority, self.path) = (parts[0].lowercased(), String(authority), String(path))
    }

    private static func malformed(_ url: String) -> PlaybackError {
        PlaybackError(
            .malformed,
            "expected an address such as http://192.0.2.7:8080/screen, without a query, found "
                + "\"\(RedactedURL.text(url))\"")
    }

    func request(
        _ method: HTTPRequest.Method, _ below: String, _ body: [UInt8]? = nil, fields: HTTPFields = [:],
        timeout: Duration?
    ) -> TransportRequest {
        var fields = fields
        if body != nil { fields[.contentType] = "application/json" }
        let head = HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: path + below, headerFields: fields)
        return TransportRequest(head, body: body.map { .bytes($0) } ?? .none, timeout: timeout)
    }
}
