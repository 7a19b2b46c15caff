internal import WharfCore
internal import WharfJSON
internal import WharfPrimitives

// The journal stores these errors. Their messages name placeholders and fields but not the values,
// which may be secrets.
extension GatewayTemplate {
    /// Fills the template for a part.
    ///
    /// - Throws: ``MessagingError/Code/invalidValue`` for a value that the message lacks or that
    ///   would change the path, ``MessagingError/Code/invalidHeader`` for a value that would end a
    ///   header field.
    func request(for part: MessagePart, timeout: Duration?) throws(MessagingError) -> TransportRequest {
        var filled = HTTPFields()
        for (name, value) in fields {
            filled.append(
                HTTPField(
                    name: name,
                    value: try value.filled(by: part) { text throws(MessagingError) in
                        try Self.checked(text, name)
                    }))
        }
        // After the template's own fields: a constant key of a template would make all messages one
        // for the gateway.
        if let key = part.key.field { filled[key.name] = key.value }
        let head = HTTPRequest(
            method: method, scheme: scheme, authority: authority, path: try filledPath(part), headerFields: filled)
        return TransportRequest(
            head, body: try body(part), account: part.account, cache: .bypass, timeout: timeout)
    }

    private func filledPath(_ part: MessagePart) throws(MessagingError) -> String {
        // Encoded before it is checked: a slash in a value is `%2F` by now and begins no segment.
        let path = try path.filled(by: part) { PercentEncoding.data($0) }
        // Clients and proxies remove dot segments (RFC 3986 §5.2.4), so the request would reach
        // another path.
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        guard !segments.contains(where: { $0 == "." || $0 == ".." }) else {
            throw MessagingError(
                .invalidValue,
                message: "a value of the URL's path is . or .., which leads to another URL; give another value")
        }
        return path
    }

    private func body(_ part: MessagePart) throws(MessagingError) -> RequestBody {
        switch content {
        case .none: return .none
        case .form(let text): return .bytes(Array(try text.filled(by: part) { PercentEncoding.data($0) }.utf8))
        case .text(let text): return .bytes(Array(try text.filled(by: part) { $0 }.utf8))
        case .json(let document):
            // The parsed document is filled, and not its text. A quote in a value stays inside its
            // string.
            let filled = try document.mappingStrings { text throws(MessagingError) in
                try TemplateText(text).filled(by: part) { $0 }
            }
            do { return .bytes(try JSON.encode(filled)) } catch {
                throw MessagingError(
                    .invalidTemplate, message: "the template can't be written as JSON: \(error.code); correct it",
                    cause: error)
            }
        }
    }

    /// Returns a value of a field that has no control characters (RFC 9110 §5.5).
    private static func checked(_ text: String, _ name: HTTPField.Name) throws(MessagingError) -> String {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw MessagingError(
                .invalidHeader,
                message: "a value for the field \(name) has control characters, which would end it; leave them out")
        }
        return text
    }
}
