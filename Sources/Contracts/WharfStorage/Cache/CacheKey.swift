public import WharfCore

/// The key of a stored response (RFC 9111 §2): method, target URI, account and site.
public struct CacheKey: Hashable, Sendable {
    /// The account that the answer belongs to; nil for an answer without an account.
    public var account: Account?
    /// The site in whose name the request was sent; nil for the app's own.
    public var topLevelSite: TopLevelSite?
    /// The request method.
    public var method: String
    /// The target URI in normal form.
    ///
    /// Scheme and host are in lower case. There is no default port and no fragment.
    public var target: String

    /// Creates a key. The caller passes `target` in normal form.
    public init(
        account: Account? = nil, topLevelSite: TopLevelSite? = nil, method: String = "GET", target: String
    ) {
        self.account = account
        self.topLevelSite = topLevelSite
        self.method = method
        self.target = target
    }
}
