/// Why a batch can't be given to a table.
public struct ListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// What is shown, less what is deleted and with what is inserted, is not what the source says.
        public static let countMismatch = Self("countMismatch")
        /// A section or a row is named that is not there.
        public static let invalidPosition = Self("invalidPosition")
        /// Two changes of one batch exclude each other, such as the deletion and the move of a row.
        public static let conflict = Self("conflict")
        /// Changes that have to be in batches of their own.
        public static let notTogether = Self("notTogether")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String

    init(_ code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code): \(message)" }
}
