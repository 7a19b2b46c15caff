internal import WharfPrimitives

extension HTTPRequest {
    /// Refuses a target with a `%` that begins no percent-encoded octet.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``.
    package func checkEscapes() throws(TransportError) {
        guard let path, let escape = InvalidEscape(in: path) else { return }
        throw TransportError(.invalidRequest, message: escape.message)
    }
}
