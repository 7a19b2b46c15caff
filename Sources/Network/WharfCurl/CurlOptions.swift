#if os(Linux)
internal import CCurl
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import WharfCore

/// The options that all transfers of one transport share.
struct CurlOptions: Sendable {
    var connectionsPerHost: Int
    var connectTimeout: Duration
    var proxy: CurlTransport.Proxy
    var version: CurlTransport.Version
    /// Certificates of trusted authorities, in place of the default ones of libcurl's build.
    var certificates: Certificates

    /// The values of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    ///
    /// The library libcurl does not read them. The curl command does, and so does OpenSSL if
    /// libcurl was built without a path.
    struct Certificates: Sendable {
        var file: String?
        var folder: String?

        init(_ environment: (String) -> String?) {
            file = environment("SSL_CERT_FILE")
            folder = environment("SSL_CERT_DIR")
        }

        static func system(_ name: String) -> String? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return String(cString: value)
        }
    }

    func apply(to handle: EasyHandle) throws(CurlFailure) {
        try handle.set(CURLOPT_HTTP_VERSION, version.raw)
        // libcurl reads 0 as its default of 300 seconds, and may refuse more than 32 bits. Without
        // the bound, a conversion of the longest durations would trap.
        let milliseconds = Int32(clamping: connectTimeout.saturatedNanoseconds / 1_000_000)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, milliseconds)))
        // libcurl would remove dot segments. The server must get the path that the caller gave.
        try handle.set(CURLOPT_PATH_AS_IS, 1)
        try handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        // The head of a proxy's answer to CONNECT would look like an interim head.
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // libcurl before 7.66 accepts any bytes as an HTTP/0.9 response.
        try handle.set(CURLOPT_HTTP09_ALLOWED, 0)
        if let file = certificates.file { try handle.set(CURLOPT_CAINFO, file) }
        if let folder = certificates.folder { try handle.set(CURLOPT_CAPATH, folder) }
        // libcurl itself reads the variables if no proxy is set. They are only checked here.
        switch proxy.choice {
        case .environment:
            for name in CurlTransport.Proxy.variables {
                if let url = Certificates.system(name) { try CurlTransport.Proxy.check(url) }
            }
        // An empty text also keeps libcurl from reading the environment.
        case .direct: try handle.set(CURLOPT_PROXY, "")
        case .url(let url):
            try CurlTransport.Proxy.check(url)
            // The check precedes the option: see `check`.
            try handle.set(CURLOPT_PROXY, url)
            // Otherwise `no_proxy` of the environment would count as well.
            try handle.set(CURLOPT_NOPROXY, "")
        }
    }
}

extension CurlTransport.Proxy {
    /// The environment variables with a proxy's URL that libcurl reads. It reads `http_proxy` in
    /// lower case only.
    fileprivate static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    /// Refuses a proxy URL with a NUL byte in user or password. With such a URL libcurl 7.88
    /// connects to the origin without the proxy.
    fileprivate static func check(_ url: String) throws(CurlFailure) {
        guard url.contains("%00") else { return }
        throw CurlFailure(code: CURLE_COULDNT_RESOLVE_PROXY, text: "Unsupported proxy: its URL contains %00")
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
