internal import Foundation
internal import WharfCore

/// The target URI of a request for http or https (RFC 9110 §7.1). It is parsed once, so that the
/// pins are checked for the same host that the request is sent to.
struct Target {
    let url: String
    /// The host as AsyncHTTPClient reads it: percent-decoded, without user info and port.
    let host: String
    /// Host and port as they were written, for the field `Host`.
    let authority: String
    let isSecure: Bool

    init(_ head: HTTPRequest) throws(TransportError) {
        let scheme = head.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .invalidRequest,
                message: "expected the scheme http or https, found \"\(scheme)\"; FileTransport reads files")
        }
        try head.checkEscapes()
        let text = "\(scheme)://\(head.authority ?? "")\(head.path ?? "/")"
        // Encoding invalid characters would encode existing escapes a second time.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(percentEncoded: false),
            !host.isEmpty
        else {
            throw TransportError(
                .invalidRequest,
                message: "expected a URL with a host and with every other character percent-encoded, found "
                    + head.redactedURL())
        }
        self.url = text
        self.host = host
        // User info must not be sent in `Host` (RFC 9110 §7.2).
        self.authority = (head.authority ?? "").split(separator: "@").last.map(String.init) ?? host
        self.isSecure = scheme == "https"
    }
}
