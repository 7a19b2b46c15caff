/// The removal of a stored response that the store itself decided on.
public struct CacheEviction: Sendable, Hashable {
    /// The reason of an eviction.
    public enum Reason: Sendable, Hashable {
        /// The stored responses exceeded the store's byte limit.
        case byteLimit
        /// The disk had no room for a newer response.
        case fullDisk
    }

    /// The key of the response.
    public var key: CacheKey
    /// The bytes by which the store counted the response: key, head and body.
    public var byteCount: Int64
    /// The reason.
    public var reason: Reason

    /// Creates an eviction.
    public init(key: CacheKey, byteCount: Int64, reason: Reason) {
        self.key = key
        self.byteCount = byteCount
        self.reason = reason
    }
}
