/// What a stored response is found by (RFC 9111 §2): method and target URI, and the account whose
/// answer it is.
public struct CacheKey: Hashable, Sendable {
    public var account: Account?
    public var method: String
    /// The target URI in normal form: scheme and host in lower case, no default port, no fragment.
    public var target: String

    public init(account: Account? = nil, method: String = "GET", target: String) {
        self.account = account
        self.method = method
        self.target = target
    }
}
