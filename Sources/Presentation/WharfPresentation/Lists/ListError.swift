public import WharfCore

/// The reason why a row was not changed, or why a batch cannot be given to a table.
public struct ListError: CodedError, Sendable {
    /// The kind of a list error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in descriptions.
        public let name: String
        /// Creates a code, such as for a source of your own.
        public init(_ name: String) { self.name = name }

        /// The counts of the table, the batch and the source do not add up.
        public static let countMismatch = Self("countMismatch")
        /// A named section or row does not exist.
        public static let invalidPosition = Self("invalidPosition")
        /// Two changes of a batch exclude each other, such as deleting and moving a row.
        public static let conflict = Self("conflict")
        /// Changes that have to be in separate batches are in one.
        public static let notTogether = Self("notTogether")
        /// The row does not exist, or cannot be deleted.
        public static let notEditable = Self("notEditable")
        /// The row does not exist, or cannot be moved.
        public static let notMovable = Self("notMovable")
        /// The row cannot be moved to this place.
        public static let noDestination = Self("noDestination")
    }

    /// The kind of the error, for switching.
    public let code: Code
    /// The expected and the found input, its place, and the remedy.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    @usableFromInline static func notEditable(_ position: ListPosition) -> ListError {
        ListError(
            .notEditable,
            message: "the row at \(position) can't be deleted; call isEditable(at:) of the same list first")
    }

    @usableFromInline static func notMovable(_ position: ListPosition) -> ListError {
        ListError(
            .notMovable,
            message: "the row at \(position) can't be moved; call isMovable(at:) of the same list first")
    }

    @usableFromInline static func noDestination(_ position: ListPosition) -> ListError {
        ListError(
            .noDestination,
            message: "a row can't be moved to \(position); call canMove(from:to:) of the same list first")
    }
}
