import Wharf

/// Removes `Accept-Encoding`, so that the transport below decodes each body.
///
/// A recording of encoded bodies could neither be read nor searched for secrets.
struct PlainAnswers: Transport {
    let base: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.head.headerFields[.acceptEncoding] = nil
        return try await base.send(request)
    }
}
