/// Why a player or a screen did not do what it was told.
public struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The screen could not be reached, or was there and is gone.
        public static let disconnected = Self("disconnected")
        /// It understood and refused.
        public static let refused = Self("refused")
        /// It can't play the item.
        public static let unplayable = Self("unplayable")
        /// It answered what its protocol does not allow.
        public static let malformed = Self("malformed")
        /// It did not answer in time.
        public static let timedOut = Self("timedOut")
        /// A later command took its place, or the caller has left.
        public static let cancelled = Self("cancelled")
        /// The ``Playback`` was closed.
        public static let closed = Self("closed")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { "\(code): \(message)" + (cause.map { " (\($0))" } ?? "") }

    /// The cause is left aside: errors in general can't be compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message
    }
}
