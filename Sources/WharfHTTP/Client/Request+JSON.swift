internal import Foundation
internal import WharfCore

extension Request {
    /// With `json` as the body, encoded now. What can't be encoded is the failure of the read, so that making a request does
    /// not throw.
    init(
        _ method: HTTPRequest.Method, _ path: RequestPath, _ query: Query, _ fields: HTTPFields, json: some Encodable,
        _ decoding: Decoding<Payload>
    ) {
        self.init(method, .path(path), query: query, fields: fields, decoding: decoding)
        if self.fields[.contentType] == nil { self.fields[.contentType] = "application/json" }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            body = .bytes(Array(try encoder.encode(json)))
        } catch {
            fault = ReadFailure(
                .invalidRequest,
                message: "expected a body of type \(type(of: json)) that encodes as JSON, but encoding threw: \(error)",
                cause: error
            )
        }
    }
}
