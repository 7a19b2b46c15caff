#if os(Linux)
internal import CCurl
internal import WharfCore

extension Transfer {
    func setRequest() throws(CurlFailure) {
        try handle.set(CURLOPT_URL, exchange.target.url)
        if exchange.target.isAsterisk { try handle.set(CURLOPT_REQUEST_TARGET, "*") }
        // The request waits for the handshake of the first connection to its host, which shows
        // whether it can be shared (HTTP/2). Without TLS libcurl would wait for the first response,
        // which may never arrive.
        if exchange.target.isSecure { try handle.set(CURLOPT_PIPEWAIT, 1) }
        // Only this option keeps libcurl from taking an idle connection.
        if exchange.isOnFreshConnection { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
        try setMethod()
        try handle.setFields(lines)
    }

    /// Sets the pins. libcurl compares the key of the server's own certificate after it has
    /// verified that certificate.
    func setPins() throws(CurlFailure) {
        guard let entry = exchange.pins else { return }
        // libcurl reads several pins separated by semicolons; one match suffices.
        try handle.set(CURLOPT_PINNEDPUBLICKEY, entry.pins.sorted().map { "sha256//\($0)" }.joined(separator: ";"))
    }

    private func setMethod() throws(CurlFailure) {
        let request = exchange.request
        // HEAD needs its own option, because no body follows the head of the response.
        if request.head.method == .head { return try handle.set(CURLOPT_NOBODY, 1) }
        switch request.body {
        case .none: try setNoBody(request.head.method)
        case .bytes(let bytes): try setBody(length: Int64(bytes.count))
        case .stream(_, let length): try setBody(length: length)
        }
        // The name replaces the method that `UPLOAD` (PUT), `POST` or `HTTPGET` stands for.
        try handle.set(CURLOPT_CUSTOMREQUEST, request.head.method.rawValue)
    }

    private func setNoBody(_ method: HTTPRequest.Method) throws(CurlFailure) {
        switch method {
        // RFC 9110 §8.6: a method that expects a body announces its absence by a length of 0. Many
        // servers answer 411 otherwise.
        case .post, .put, .patch:
            // libcurl's POST with an empty body sends `Content-Length: 0`. `setMethod` then
            // replaces the method's name.
            try handle.set(CURLOPT_POST, 1)
            try handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
            try handle.set(CURLOPT_POSTFIELDS, "")
        default: try handle.set(CURLOPT_HTTPGET, 1)
        }
    }

    /// - Parameter length: nil for a body that is sent in chunks.
    private func setBody(length: Int64?) throws(CurlFailure) {
        try handle.set(CURLOPT_UPLOAD, 1)
        // -1 means an unknown length: chunks in HTTP/1.1.
        try handle.set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
    }

    private var lines: [String] {
        let fields = exchange.request.head.headerFields
        // These fields frame the message, so libcurl derives them from the URL and the body.
        let framing: Set<HTTPField.Name?> = [HTTPField.Name("Host"), .contentLength, .transferEncoding]
        let sent = fields.filter { !framing.contains($0.name) }.map { field in
            // libcurl reads "name:" as the order to omit a field, and "name;" as an empty field.
            field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
        }
        // libcurl would add these. With Expect it waits a second for servers that do not know it.
        let unwanted = [HTTPField.Name.accept, .expect, .contentType].filter { fields[$0] == nil }
        return sent + unwanted.map { "\($0.rawName):" }
    }
}
#endif
