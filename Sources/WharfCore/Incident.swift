/// Something that went wrong and was survived: a cached entry that failed its checksum, a cache
/// that had to be made anew.
///
/// Incidents never fail a read. They are handed to an ``IncidentHandler`` so that nothing is lost
/// silently.
public struct Incident: Sendable {
    /// What happened, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// A stored response did not match its checksum or could not be read; it was removed and
        /// not served.
        public static let entryDropped = Self("entryDropped")
        /// The cache file was corrupt; it was set aside under the name in the message, and a new
        /// one was made.
        public static let cacheRecreated = Self("cacheRecreated")
        /// A response could not be looked up, kept or removed; the read went on without the store.
        public static let storeFailed = Self("storeFailed")
        /// A response was larger than the store takes, and was read without being kept.
        public static let notKept = Self("notKept")
        /// A stored entity could not be decoded, as one of an older schema can't; it is fetched
        /// anew.
        public static let entityUndecodable = Self("entityUndecodable")
        /// A change was made, but what the service said of it could not be read; it is asked for at
        /// the next read.
        public static let answerUnreadable = Self("answerUnreadable")
        /// The durable store could not be opened; responses are kept in memory until the next
        /// start.
        public static let storeUnavailable = Self("storeUnavailable")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

/// Receives incidents, on any thread; it must return quickly.
public typealias IncidentHandler = @Sendable (Incident) -> Void
