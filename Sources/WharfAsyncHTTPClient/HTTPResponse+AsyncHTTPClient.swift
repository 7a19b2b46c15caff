#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import NIOHTTP1
internal import WharfCore

extension HTTPResponse {
    /// The codings that the client takes off the body, without telling in the head.
    private static let decodedCodings: Set<String> = ["gzip", "deflate"]

    /// The head of an answer, such that it describes the bytes that are delivered.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for a status that is none.
    init(_ response: HTTPClientResponse, to request: HTTPRequest) throws(TransportError) {
        guard (100...999).contains(response.status.code) else { throw .status(Int(response.status.code)) }
        self.init(status: Status(code: Int(response.status.code)))
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, value: value))
        }
        // The chunks are put together already.
        headerFields[.transferEncoding] = nil
        if hasBody(for: request.method) { dropDecodedCoding() }
    }

    /// The client takes off the coding that is named first, and no other.
    private mutating func dropDecodedCoding() {
        let codings = (headerFields[.contentEncoding] ?? "").filter { $0 != " " && $0 != "\t" }.split(separator: ",")
        guard let first = codings.first, Self.decodedCodings.contains(first.lowercased()) else { return }
        headerFields[.contentEncoding] = codings.count > 1 ? codings.dropFirst().joined(separator: ", ") : nil
        headerFields[.contentLength] = nil
    }
}
#endif
