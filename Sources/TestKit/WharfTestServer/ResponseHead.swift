import WharfCore

/// The status line and the fields of an answer as sent (RFC 9112 §4, §6).
struct ResponseHead {
    let bytes: [UInt8]
    /// Whether the status allows a body: false for 1xx, 204 and 304 (RFC 9110 §6.4.1).
    let allowsBody: Bool

    init(_ response: TestResponse, closes: Bool, at time: WallTime) {
        let code = response.status.code
        allowsBody = code >= 200 && code != 204 && code != 304
        var fields = response.fields
        // An origin with a clock must send it (RFC 9110 §6.6.1). Caches count ages from it.
        if fields[.date] == nil { fields[.date] = time.httpDate }
        if closes { fields[.connection] = "close" }
        if allowsBody {
            if response.isChunked {
                fields[.transferEncoding] = "chunked"
            } else if case .bytes(let body) = response.content, fields[.contentLength] == nil {
                fields[.contentLength] = String(body.count)
            }
        }
        bytes = Self.bytes(response.status, fields)
    }

    static func bytes(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> [UInt8] {
        Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines(of: fields))\r\n".utf8)
    }

    static func lines(of fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }
}
