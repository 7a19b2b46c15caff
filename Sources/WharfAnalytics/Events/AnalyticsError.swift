/// Why an event was not kept.
public struct AnalyticsError: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The properties are no JSON object, or hold what JSON can't express.
        public static let notEncodable = Self("notEncodable")
        /// The outbox could not take or discard it, or the identity could not be stored; `cause` is a
        /// `StoreError`.
        public static let storeFailed = Self("storeFailed")
        /// The event has more bytes than a sink takes; ``AnalyticsError/size`` says how many.
        public static let tooLarge = Self("tooLarge")
        /// More were posted than the disk took meanwhile, and a newer one has taken its place.
        public static let crowdedOut = Self("crowdedOut")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    /// The error below this one.
    public let cause: (any Error)?
    /// The event's bytes and the limit, for ``Code/tooLarge``.
    public let size: EventSize?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil, size: EventSize? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.size = size
    }
}

extension AnalyticsError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
