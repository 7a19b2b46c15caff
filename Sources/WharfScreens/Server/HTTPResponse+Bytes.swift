internal import WharfCore

extension HTTPResponse {
    /// The head as it is sent (RFC 9112, section 4). The connection closes behind the answer.
    ///
    /// - Parameter length: of the body; nil for a body in chunks, and 0 for none.
    func bytes(length: Int64?) -> [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        if let length {
            // RFC 9110, section 8.6: a 204 has no length.
            if status != .noContent { text += "Content-Length: \(length)\r\n" }
        } else {
            text += "Transfer-Encoding: chunked\r\n"
        }
        return Array("\(text)Connection: close\r\n\r\n".utf8)
    }
}
