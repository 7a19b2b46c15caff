/// Why an event was not kept.
public struct AnalyticsError: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The properties are no JSON object, or hold what JSON can't express.
        public static let notEncodable = Self("notEncodable")
        /// The outbox could not take it, or not discard it; `cause` is a `StoreError`.
        public static let storeFailed = Self("storeFailed")
        /// More were posted than the disk took meanwhile, and a newer one has taken its place.
        public static let crowdedOut = Self("crowdedOut")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension AnalyticsError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
