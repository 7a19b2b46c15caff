#if Server
internal import AsyncHTTPClient
internal import NIOHTTP1
internal import WharfCore

extension HTTPResponse {
    /// The codings that the client decodes without changing the head.
    private static let decodedCodings: Set<String> = ["gzip", "deflate"]

    /// Creates a head that describes the decoded bytes of the body.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for an invalid status.
    init(_ response: HTTPClientResponse, to request: HTTPRequest) throws(TransportError) {
        guard (100...999).contains(response.status.code) else { throw .status(Int(response.status.code)) }
        self.init(status: Status(code: Int(response.status.code)))
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, value: value))
        }
        // The client has joined the chunks already.
        headerFields[.transferEncoding] = nil
        if hasBody(for: request.method) { dropDecodedCoding() }
    }

    /// Removes the decoded coding. The client decodes only the first named one.
    private mutating func dropDecodedCoding() {
        let codings = (headerFields[.contentEncoding] ?? "").filter { $0 != " " && $0 != "\t" }.split(separator: ",")
        guard let first = codings.first, Self.decodedCodings.contains(first.lowercased()) else { return }
        headerFields[.contentEncoding] = codings.count > 1 ? codings.dropFirst().joined(separator: ", ") : nil
        headerFields[.contentLength] = nil
    }
}
#endif
