internal import WharfPrimitives

extension HTTPRequest {
    /// Checks that each `%` of the target begins a percent-encoded octet.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if one does not.
    package func checkEscapes() throws(TransportError) {
        guard let path, let escape = InvalidEscape(in: path) else { return }
        throw TransportError(.invalidRequest, message: escape.message)
    }
}
