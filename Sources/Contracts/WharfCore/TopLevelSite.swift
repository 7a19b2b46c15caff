/// The site in whose name a request is sent, which partitions the HTTP cache.
///
/// An app that shows content of several sites, such as a browser, names the site of its address
/// bar in each request. Then a response that was stored for one site never answers a request of
/// another. Otherwise a site could measure whether a resource is stored, and so which other sites
/// the user has visited (Fetch, [HTTP cache
/// partitions](https://fetch.spec.whatwg.org/#http-cache-partitions)).
///
/// ```swift
/// var request = TransportRequest(head, account: account)
/// request.topLevelSite = TopLevelSite("https://news.example")
/// ```
///
/// Requests without a site have a partition of their own. An app that shows its own content alone
/// needs no other.
///
/// The app names the site, because the request of a browser does not. `Sec-Fetch-Site` is a
/// relation, and `Referer` names a frame or is absent. So a gateway leaves the site nil. A
/// transport between a gateway and its cache can set it, for example if each site has a gateway of
/// its own.
public struct TopLevelSite: Hashable, Sendable {
    /// The name that tells sites apart.
    ///
    /// Fetch uses the scheme and the registrable domain, such as `https://news.example`. The cache
    /// compares names as they are.
    public let name: String

    /// Creates a site from its name.
    public init(_ name: String) {
        self.name = name
    }
}
