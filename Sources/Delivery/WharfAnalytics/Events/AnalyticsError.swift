public import WharfCore

/// The reason why an event or an identity was not kept.
public struct AnalyticsError: CodedError, Sendable {
    /// The kind of an error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name in logs and counts.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }

        /// The properties are no JSON object, or contain a value that JSON can't express.
        public static let notEncodable = Self("notEncodable")
        /// An event or an identity could not be stored or discarded.
        ///
        /// `cause` is a `StoreError`.
        public static let storeFailed = Self("storeFailed")
        /// The event has more bytes than a sink takes: see ``AnalyticsError/size``.
        public static let tooLarge = Self("tooLarge")
        /// The id of a user or a group is empty, or the type of a group.
        ///
        /// Receivers drop events under an empty id without an error. Call ``Analytics/reset()`` for
        /// a sign-out. A stage that has no id leaves it nil.
        public static let emptyID = Self("emptyID")
        /// More events were posted than the disk took, and a newer one replaced this one.
        public static let crowdedOut = Self("crowdedOut")
    }

    /// The kind of the error.
    public let code: Code
    /// The failure, its place, and the remedy.
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
