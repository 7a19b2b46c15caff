#if AsyncHTTPClient
internal import Foundation
internal import WharfCore

/// The target URI of a request for http or https (RFC 9110 §7.1), read once, so that what is
/// checked is where it goes.
struct Target {
    let url: String
    /// As AsyncHTTPClient reads it: percent-decoded, without user info and port.
    let host: String
    /// Host and port as they were written, for `Host`.
    let authority: String
    let isSecure: Bool

    init(_ head: HTTPRequest) throws(TransportError) {
        let scheme = head.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .invalidRequest,
                message: "expected the scheme http or https, but found \"\(scheme)\"; FileTransport reads files")
        }
        try head.checkEscapes()
        let text = "\(scheme)://\(head.authority ?? "")\(head.path ?? "/")"
        // Encoding what is not allowed would encode what is encoded already a second time.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(percentEncoded: false),
            !host.isEmpty
        else {
            throw TransportError(
                .invalidRequest,
                message: "expected a URL with a host and with every other character percent-encoded, but found "
                    + head.redactedURL())
        }
        self.url = text
        self.host = host
        self.authority = (head.authority ?? "").split(separator: "@").last.map(String.init) ?? host
        self.isSecure = scheme == "https"
    }
}
#endif
