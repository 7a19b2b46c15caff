#if TestServer
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
        if fields[.date] == nil { fields[.date] = time.httpDate }
        if closes { fields[.connection] = "close" }
        if allowsBody {
            if response.isChunked {
                fields[.transferEncoding] = "chunked"
            } else if case .bytes(let body) = response.content, fields[.contentLength] == nil {
                fields[.contentLength] = String(body.count)
            }
        }
        var text = "HTTP/1.1 \(code) \(response.status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        bytes = Array((text + "\r\n").utf8)
    }
}
#endif
