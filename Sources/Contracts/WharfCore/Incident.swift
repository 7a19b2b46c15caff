/// A fault that does not fail the read, such as a wrong checksum in the cache.
///
/// Wharf hands each incident to an ``IncidentHandler``, so that no fault is lost silently.
public struct Incident: Sendable {
    /// The kind of fault, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// A stored response was removed and not served.
        ///
        /// It did not match its checksum or could not be read.
        public static let entryDropped = Self("entryDropped")
        /// The cache file was corrupt, and a new one was created.
        ///
        /// The old file was renamed; the message has its new name.
        public static let cacheRecreated = Self("cacheRecreated")
        /// A response could not be looked up, stored or removed. The read went on without the
        /// store.
        public static let storeFailed = Self("storeFailed")
        /// A response was larger than the store accepts. It was read, but not stored.
        public static let notKept = Self("notKept")
        /// A stored entity could not be decoded, such as one of an older schema. It is fetched
        /// again.
        public static let entityUndecodable = Self("entityUndecodable")
        /// A change was made, but the service's answer to it could not be read.
        ///
        /// The next read asks the service for the new state.
        public static let answerUnreadable = Self("answerUnreadable")
        /// The durable store could not be opened. Responses are kept in memory until the next
        /// start.
        public static let storeUnavailable = Self("storeUnavailable")
    }

    /// The kind of fault.
    public let code: Code
    /// A description for logs.
    public let message: String
    /// The error that led to the incident, if there is one.
    public let cause: (any Error)?

    /// Creates an incident.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

/// Receives incidents. It may be called on any thread and must return quickly.
public typealias IncidentHandler = @Sendable (Incident) -> Void
