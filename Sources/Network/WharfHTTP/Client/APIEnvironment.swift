public import WharfCore

/// The base URL of an API, and the fields that go with every request to it.
///
/// Use one value each for test, staging and production.
///
/// ```swift
/// let staging = try APIEnvironment("https://staging.example.com/api/v1", fields: [.userAgent: "Matinee/1.0"])
/// ```
public struct APIEnvironment: Sendable, Hashable {
    /// Fields of each request that does not set them itself.
    ///
    /// They are never sent to another origin.
    public let fields: HTTPFields
    /// Nil for ``absoluteURLs``.
    let base: AbsoluteURL?

    /// Creates an environment with a base URL.
    ///
    /// - Parameter baseURL: an http, https or file URL, with or without a path prefix. A slash at
    ///   its end makes no difference.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` if the URL
    ///   - has another scheme or can't be parsed,
    ///   - has user info, a query or an invalid percent-escape,
    ///   - has an international host name that is not in its registered (xn--) form.
    public init(_ baseURL: String, fields: HTTPFields = [:]) throws(ReadFailure) {
        let base = try AbsoluteURL(baseURL)
        // A query of the base URL would have no defined place between path and request query.
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

    /// An environment without a base URL: each request gives an absolute URL.
    public static let absoluteURLs = APIEnvironment()

    /// Returns the head of a request to this environment. A request's fields win over the
    /// environment's.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` when the request has no valid address, or a
    ///   body that did not encode.
    public func head<Payload>(for request: Request<Payload>) throws(ReadFailure) -> HTTPRequest {
        // A fault is thrown here and not earlier, so that making a request does not throw.
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
            // A link comes from the server, and must not make the client read a file of this
            // machine.
            if let base, base.scheme != "file", url.scheme == "file" {
                throw .invalidURL("expected an http or https URL, found a file URL; read files with a file base URL")
            }
            path = url.path.isEmpty ? "/" : url.path
            // The fields may hold an API key, which must not go to another origin.
            if let base, url.hasSameOrigin(as: base) { fields = self.fields }
        }
        // First removed, then appended: a request's field replaces all lines of the environment's.
        for field in request.fields { fields[fields: field.name] = [] }
        fields.append(contentsOf: request.fields)
        if fields[.accept] == nil, let accepted = request.decoding.accepted { fields[.accept] = accepted }
        let query = [url.query, request.query.encoded].compactMap { $0 }.joined(separator: "&")
        return HTTPRequest(
            method: request.method, scheme: url.scheme, authority: url.scheme == "file" ? nil : url.authority,
            path: query.isEmpty ? path : "\(path)?\(query)", headerFields: fields
        )
    }

    /// Returns an address with its query as an absolute URL, joined to the base URL if it is
    /// relative.
    func absolute(_ address: String) -> String {
        guard let base, !address.contains("://") else { return address }
        return "\(base.scheme)://\(base.authority)\(Self.join(base.path, address))"
    }

    private static func join(_ prefix: String, _ path: String) -> String {
        // An empty path means the base URL itself, without an added slash.
        guard !path.isEmpty else { return prefix.isEmpty ? "/" : prefix }
        // Exactly one slash goes between the two.
        let prefix = prefix.hasSuffix("/") ? prefix.dropLast() : prefix[...]
        let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return "\(prefix)/\(path)"
    }
}
