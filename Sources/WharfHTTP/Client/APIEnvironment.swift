public import WharfCore

/// Where an API lives, and the fields that go with every request to it: one value each for test,
/// staging and production.
///
/// ```swift
/// let staging = try APIEnvironment("https://staging.example.com/api/v1", fields: [.userAgent: "Matinee/1.0"])
/// ```
public struct APIEnvironment: Sendable, Hashable {
    /// Sent with every request that does not say otherwise, but never to another origin.
    public let fields: HTTPFields
    /// Nil when there is none.
    let base: AbsoluteURL?

    /// - Parameter baseURL: http, https or file; with a path prefix or without, a slash at its end
    ///   makes no difference.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for what is no such URL, has user info, a
    ///   query or an invalid percent-escape, or an international host name that is not in its
    ///   registered (xn--) form.
    public init(_ baseURL: String, fields: HTTPFields = [:]) throws(ReadFailure) {
        let base = try AbsoluteURL(baseURL)
        guard base.query == nil else {
            throw .invalidURL("expected a base URL without a query, found one; put it into the requests")
        }
        self.base = base
        self.fields = fields
    }

    private init() {
        base = nil
        fields = [:]
    }

    /// No API in particular: every request gives an absolute URL.
    public static let absoluteURLs = APIEnvironment()

    /// The head of a request as it goes to this environment. A request's fields win over the
    /// environment's.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` when the request has no valid address, or a
    ///   body that did not encode.
    public func head<Payload>(for request: Request<Payload>) throws(ReadFailure) -> HTTPRequest {
        if let fault = request.fault { throw fault }
        let url: AbsoluteURL
        let path: String
        var fields: HTTPFields = [:]
        switch request.target {
        case .path(let relative):
            if let fault = relative.fault { throw .invalidURL(fault) }
            guard let base else {
                throw .invalidURL(
                    "expected an absolute URL, found the path \"\(relative)\"; there is no base URL to join it to")
            }
            url = base
            path = Self.join(base.path, relative.encoded)
            fields = self.fields
        case .url(let text):
            url = try AbsoluteURL(text)
            // A link is the server's own text; the disk is not the server's.
            if let base, base.scheme != "file", url.scheme == "file" {
                throw .invalidURL("expected an http or https URL, found a file URL; read files with a file base URL")
            }
            path = url.path.isEmpty ? "/" : url.path
            if let base, url.hasSameOrigin(as: base) { fields = self.fields }
        }
        for field in request.fields { fields[fields: field.name] = [] }
        fields.append(contentsOf: request.fields)
        if fields[.accept] == nil, let accepted = request.decoding.accepted { fields[.accept] = accepted }
        let query = [url.query, request.query.encoded].compactMap { $0 }.joined(separator: "&")
        return HTTPRequest(
            method: request.method, scheme: url.scheme, authority: url.scheme == "file" ? nil : url.authority,
            path: query.isEmpty ? path : "\(path)?\(query)", headerFields: fields
        )
    }

    /// An address as an absolute URL: itself, or below the base URL, with its query.
    func absolute(_ address: String) -> String {
        guard let base, !address.contains("://") else { return address }
        return "\(base.scheme)://\(base.authority)\(Self.join(base.path, address))"
    }

    private static func join(_ prefix: String, _ path: String) -> String {
        // No path asks for the base URL itself, as it was written.
        guard !path.isEmpty else { return prefix.isEmpty ? "/" : prefix }
        let prefix = prefix.hasSuffix("/") ? prefix.dropLast() : prefix[...]
        let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return "\(prefix)/\(path)"
    }
}
