#if os(Linux)
internal import CCurl
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import WharfCore

/// What all transfers of one transport have in common.
struct CurlOptions: Sendable {
    var connectionsPerHost: Int
    var connectTimeout: Duration
    var proxy: CurlTransport.Proxy
    var version: CurlTransport.Version
    /// Certificates of the authorities that are trusted, in place of those that libcurl was built with.
    let certificateFile = environment("SSL_CERT_FILE")
    let certificateFolder = environment("SSL_CERT_DIR")

    /// libcurl has no names for these: its command reads them, and OpenSSL reads them only where libcurl was built without a path.
    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    func apply(to handle: EasyHandle) throws(CurlFailure) {
        try handle.set(CURLOPT_HTTP_VERSION, version.raw)
        // A request waits for the first connection to its host, to learn whether that one carries many at a time (HTTP/2).
        try handle.set(CURLOPT_PIPEWAIT, 1)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connectTimeout / .milliseconds(1))))
        try handle.set(CURLOPT_PATH_AS_IS, 1)
        try handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        // The head of a proxy's answer to CONNECT would look like an interim one.
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Versions before 7.66 take anything for an answer of HTTP/0.9.
        try handle.set(CURLOPT_HTTP09_ALLOWED, 0)
        if let certificateFile { try handle.set(CURLOPT_CAINFO, certificateFile) }
        if let certificateFolder { try handle.set(CURLOPT_CAPATH, certificateFolder) }
        switch proxy.choice {
        case .environment: break
        case .direct: try handle.set(CURLOPT_PROXY, "")
        case .url(let url):
            try handle.set(CURLOPT_PROXY, url)
            // `no_proxy` of the environment would count as well.
            try handle.set(CURLOPT_NOPROXY, "")
        }
    }
}

extension CurlTransport.Version {
    fileprivate var raw: Int {
        switch self {
        case .negotiated: Int(CURL_HTTP_VERSION_2TLS)
        case .http2PriorKnowledge: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
    }
}
#endif
