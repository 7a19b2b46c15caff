#if os(Linux)
extension CurlTransport {
    /// Where requests go through.
    public struct Proxy: Sendable, Hashable {
        enum Choice: Sendable, Hashable {
            case environment
            case direct
            case url(String)
        }

        let choice: Choice

        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, read for each request.
        public static let environment = Proxy(choice: .environment)

        /// No proxy, whatever the environment says.
        public static let direct = Proxy(choice: .direct)

        /// One proxy for all hosts, whatever the environment says.
        ///
        /// - Parameter url: `http://`, `https://`, `socks5h://` or `socks5://` with host and port,
        ///   and with user and password where the proxy asks for them:
        ///   `http://user:password@proxy.example.com:3128`.
        public static func url(_ url: String) -> Proxy { Proxy(choice: .url(url)) }
    }
}
#endif
