#if os(Linux)
internal import CCurl
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import WharfCore

/// The reason why libcurl ended a transfer.
struct CurlFailure: Error {
    let code: CURLcode
    /// libcurl's message for this case. It names hosts and ports, never a target. In one case it
    /// names a proxy with its password (``isOfProxyURL``).
    var text = ""
    /// The system's last error number for the connection.
    var systemError: Int32 = 0
    /// Whether a line of the response arrived.
    var hasAnswerBegun = false
    /// Whether the connection had served an earlier request.
    var isOnKeptConnection = false
}

/// The cause of a ``WharfCore/TransportError/Code/connectionLost`` on a reused connection. The
/// server closed the connection as this request was sent on it, and sent no response.
struct KeptConnectionClosed: Error {}

extension CurlFailure {
    /// Whether a reused connection was closed. Servers close idle connections at any time, so that
    /// says nothing about the server's health.
    ///
    /// libcurl's own retry would send a POST twice. The transfer forbids that
    /// (``Transfer/attempts``), so each of these errors ends it. `SEND_FAIL_REWIND` stands for a
    /// retry that would have had to send its body again.
    var isOfKeptConnection: Bool {
        switch code {
        case CURLE_SEND_FAIL_REWIND: true
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            // The same codes occur in the middle of a response. Then the server has acted, and the
            // failure is not that of an idle connection.
            isOnKeptConnection && !hasAnswerBegun
        default: false
        }
    }

    /// Whether the message is "Unsupported proxy syntax in '…'", which quotes the proxy's whole URL
    /// with its password.
    private var isOfProxyURL: Bool { text.hasPrefix("Unsupported proxy") }

    var transportCode: TransportError.Code {
        // libcurl reports these with its codes for a host without an address and for a refused
        // connection.
        if isOfProxyURL { return .connectionFailed }
        return switch code {
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
        // libcurl has one code for all failures of connect(2). Only the system's error tells a
        // missing network from a server that is down.
        case CURLE_COULDNT_CONNECT: [ENETUNREACH, ENETDOWN].contains(systemError) ? .offline : .connectionFailed
        // libcurl measures no time here except that for connecting.
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
            .tlsFailed
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinningFailed
        // "Received HTTP/0.9 when not allowed": the scheme was checked before, so this is about the
        // response.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED,
            CURLE_OUT_OF_MEMORY, Self.tooLarge:
            .invalidResponse
        case CURLE_RECV_ERROR: receiveErrorCode
        case CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .connectionLost
        case CURLE_PROXY: .connectionFailed
        default: hasAnswerBegun ? .connectionLost : .connectionFailed
        }
    }

    /// `CURLE_TOO_LARGE` of libcurl 8.6; older versions report `OUT_OF_MEMORY`.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// The code of `CURLE_RECV_ERROR`, which stands for a broken connection, a refusing proxy, and
    /// invalid framing.
    private var receiveErrorCode: TransportError.Code {
        // libcurl has no code for a refusing proxy, so only its message tells. A retry over the
        // same proxy can't help.
        if ["CONNECT tunnel failed", "Proxy CONNECT aborted", "Received HTTP code"].contains(where: text.hasPrefix) {
            return .connectionFailed
        }
        return text.hasSuffix("in chunked-encoding") || text.hasPrefix("Too large response headers")
            ? .invalidResponse : .connectionLost
    }

    private var explanation: String {
        if isOfProxyURL { return "libcurl can't use the proxy's URL: it is malformed or has another scheme" }
        if code == CURLE_OUT_OF_MEMORY || code == Self.tooLarge {
            return "a line of the response's head is longer than libcurl's limit of 100 KB"
        }
        return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    }

    private var advice: String {
        if isOfProxyURL { return "correct CurlTransport.Proxy, or http_proxy, https_proxy and all_proxy" }
        return switch transportCode {
        case .hostNotFound: "check the host's name and the network"
        case .connectionFailed: "check that the service runs, and the port and the proxy"
        case .offline: "try again when there is a network"
        case .timedOut: "try again, or allow more time to connect"
        case .tlsFailed: "check the server's certificate; SSL_CERT_FILE names other authorities to trust"
        case .connectionLost: "the server may have carried it out; send it again if it is idempotent"
        case .invalidResponse: "correct the server, which violates HTTP"
        default: "check the request"
        }
    }

    /// Returns the error if an option could not be set, so that no byte was sent.
    func errorOfSetup(for request: HTTPRequest) -> TransportError {
        if isOfProxyURL { return error(for: request) }
        return TransportError(
            .invalidRequest,
            message:
                "\(request.redacted()) can't be sent: libcurl refuses it (\(String(cString: curl_easy_strerror(code)))); "
                + "check the request, the proxy, and that libcurl has TLS and HTTP/2")
    }

    func error(for request: HTTPRequest) -> TransportError {
        // The caller retries an idempotent request after this cause alone.
        if isOfKeptConnection { return .keptConnectionClosed(under: request) }
        return TransportError(
            transportCode,
            message: "\(request.redacted()) failed: \(explanation) (libcurl's code \(code.rawValue)); \(advice)",
            cause: nil)
    }
}

extension TransportError {
    static func keptConnectionClosed(under request: HTTPRequest) -> TransportError {
        TransportError(
            .connectionLost,
            message:
                "\(request.redacted()) failed: the server closed the connection, which was kept from an earlier request, and "
                + "may have carried out this one; only a request that is idempotent (isIdempotent) is sent again",
            cause: KeptConnectionClosed())
    }

    static func brokenAnswer(to request: HTTPRequest, _ reason: String) -> TransportError {
        TransportError(
            .invalidResponse,
            message: "the response to \(request.redacted()) is unusable: \(reason); correct the server")
    }
}
#endif
