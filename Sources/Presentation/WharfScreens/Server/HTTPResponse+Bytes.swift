internal import WharfCore

extension HTTPResponse {
    /// Returns the head as it is sent (RFC 9112, section 4). The connection closes after the
    /// answer.
    ///
    /// - Parameter length: the length of the body; nil for a chunked body, and 0 for none.
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
