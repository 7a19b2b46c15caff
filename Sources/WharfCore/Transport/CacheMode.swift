/// How a request wants to be answered from what is stored.
///
/// It travels beside the request, so no `Cache-Control` directive has to be faked to carry a
/// policy.
public enum CacheMode: Sendable, Hashable {
    /// What is stored and fresh; otherwise the network, with what is stored as the fallback.
    case normal
    /// What is stored, also when stale; never the network.
    case storedOnly
    /// The network, conditionally where something is stored, with what is stored as the fallback.
    case reload
    /// The network, unconditionally and without fallback. The answer is stored all the same, so
    /// that a later read is not older.
    case bypass
}
