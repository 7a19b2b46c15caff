/// Why a row could not be changed, or a batch not be given to a table.
public struct ListError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// What is shown, less what is deleted and with what is inserted, is not what the source
        /// says.
        public static let countMismatch = Self("countMismatch")
        /// A section or a row is named that is not there.
        public static let invalidPosition = Self("invalidPosition")
        /// Two changes of one batch exclude each other, such as the deletion and the move of a row.
        public static let conflict = Self("conflict")
        /// Changes that have to be in batches of their own.
        public static let notTogether = Self("notTogether")
        /// There is no such row, or it is none that can be deleted.
        public static let notEditable = Self("notEditable")
        /// There is no such row, or it is none that can be moved.
        public static let notMovable = Self("notMovable")
        /// The row can't be moved there.
        public static let noDestination = Self("noDestination")
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

    public var description: String { "\(code): \(message)" }

    @usableFromInline static func notEditable(_ position: ListPosition) -> ListError {
        ListError(
            .notEditable,
            message:
                "expected the position of a row that can be deleted, found \(position); ask isEditable(at:) of the same list"
        )
    }

    @usableFromInline static func notMovable(_ position: ListPosition) -> ListError {
        ListError(
            .notMovable,
            message:
                "expected the position of a row that can be moved, found \(position); ask isMovable(at:) of the same list"
        )
    }

    @usableFromInline static func noDestination(_ position: ListPosition) -> ListError {
        ListError(
            .noDestination,
            message:
                "expected a place that a row can be moved to, found \(position); ask canMove(from:to:) of the same list"
        )
    }
}
