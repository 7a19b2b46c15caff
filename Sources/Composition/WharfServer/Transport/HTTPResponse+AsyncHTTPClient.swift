#if Server
internal import AsyncHTTPClient
internal import NIOHTTP1
internal import WharfCore

extension HTTPResponse {
    /// Creates the head of a response whose chunks are joined.
    ///
    /// - Throws: ``WharfCore/TransportError/Code/invalidResponse`` for an invalid status.
    init(_ response: HTTPClientResponse) throws(TransportError) {
        guard (100...999).contains(response.status.code) else { throw .status(Int(response.status.code)) }
        self.init(status: Status(code: Int(response.status.code)), headerFields: HTTPFields(response.headers))
        // The client has joined the chunks already.
        headerFields[.transferEncoding] = nil
    }
}
#endif
