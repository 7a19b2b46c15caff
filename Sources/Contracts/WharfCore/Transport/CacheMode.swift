/// The way in which a request uses stored answers.
///
/// It is passed beside the request, so no `Cache-Control` directive is needed to transport a
/// policy.
public enum CacheMode: Sendable, Hashable {
    /// Uses a fresh stored answer, or else the network.
    ///
    /// If the network fails, it uses a stale answer.
    case normal
    /// Uses a stored answer, even a stale one, and never the network.
    case storedOnly
    /// Uses the network, with a stored answer as fallback.
    ///
    /// If an answer is stored, the request is conditional.
    case reload
    /// Uses the network without a condition and without fallback.
    ///
    /// The answer is stored all the same, so that a later read does not return an older one.
    case bypass
}
