public import WharfCore

/// The reason why a player or a screen did not carry out a command.
public struct PlaybackError: CodedError, Sendable, Equatable {
    /// The kind of a playback error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in descriptions.
        public let name: String
        /// Creates a code, such as for a screen of your own.
        public init(_ name: String) { self.name = name }

        /// The screen could not be reached, or the connection was lost.
        public static let disconnected = Self("disconnected")
        /// The player understood the command and refused it.
        public static let refused = Self("refused")
        /// The player cannot play the item.
        public static let unplayable = Self("unplayable")
        /// The screen's answer violates its protocol.
        public static let malformed = Self("malformed")
        /// The player or screen did not answer in time.
        public static let timedOut = Self("timedOut")
        /// A later command superseded this one, or the caller was cancelled.
        public static let cancelled = Self("cancelled")
        /// The ``Playback`` is closed.
        public static let closed = Self("closed")
    }

    /// The kind of the error, for switching.
    public let code: Code
    /// The expected and the found input, its place, and the remedy.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { "\(code): \(message)" + (cause.map { " (\($0))" } ?? "") }

    /// Compares without the cause, because errors in general are not comparable.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message
    }
}
