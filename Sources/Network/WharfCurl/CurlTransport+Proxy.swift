#if os(Linux)
extension CurlTransport {
    /// The proxy of a transport's requests.
    public struct Proxy: Sendable, Hashable {
        enum Choice: Sendable, Hashable {
            case environment
            case direct
            case url(String)
        }

        let choice: Choice

        /// The proxy of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
        ///
        /// The variables are read for each request.
        public static let environment = Proxy(choice: .environment)

        /// No proxy; the environment is ignored.
        public static let direct = Proxy(choice: .direct)

        /// Returns one proxy for all hosts; the environment is ignored.
        ///
        /// - Parameter url: `http://`, `https://`, `socks5h://` or `socks5://` with host and port.
        ///   User and password are part of it if the proxy requires them:
        ///   `http://user:password@proxy.example.com:3128`.
        public static func url(_ url: String) -> Proxy { Proxy(choice: .url(url)) }
    }
}
#endif
