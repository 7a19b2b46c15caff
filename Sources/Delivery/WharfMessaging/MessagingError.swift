public import WharfCore

/// Why a message can't be sent, or what sends it can't be made.
public struct MessagingError: CodedError, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: ErrorCode {
        public let name: String
        public init(_ name: String) { self.name = name }

        /// None of the channels that a recipient prefers has an address.
        public static let noAddress = Self("noAddress")
        /// It did not get into the outbox, or the outbox can't be read; `cause` says why.
        public static let notStored = Self("notStored")
        /// What waits in the outbox is no message that this version knows.
        public static let unreadable = Self("unreadable")
        /// What ought to be an address of e-mail is none.
        public static let invalidAddress = Self("invalidAddress")
        /// A text that would end a field of a header, or begin another.
        public static let invalidHeader = Self("invalidHeader")
        /// A text that does not fit into what a channel takes.
        public static let tooLong = Self("tooLong")
        /// A template of a gateway that can't be filled safely.
        public static let invalidTemplate = Self("invalidTemplate")
        /// A mail server that can't be reached as it is described.
        public static let invalidServer = Self("invalidServer")
        /// A value that a template asks for, and that the message does not have or that can't stand
        /// there.
        public static let invalidValue = Self("invalidValue")
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
