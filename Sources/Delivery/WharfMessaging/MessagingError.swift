public import WharfCore

/// A failure to send a message, or to create a channel, address or template.
public struct MessagingError: CodedError, Sendable {
    /// The kind of an error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, which is the code's identity.
        public let name: String
        /// Creates a code.
        public init(_ name: String) { self.name = name }

        /// The recipient has no address on the channels that have to deliver the message.
        public static let noAddress = Self("noAddress")
        /// The outbox did not store the message, or can't be read; `cause` says why.
        public static let notStored = Self("notStored")
        /// An entry of the outbox is not a message that this version can read.
        public static let unreadable = Self("unreadable")
        /// A text is not an e-mail address.
        public static let invalidAddress = Self("invalidAddress")
        /// A text can't be in a header field, such as one with a line break.
        public static let invalidHeader = Self("invalidHeader")
        /// A text is longer than a channel takes, or than a line of a header can be.
        public static let tooLong = Self("tooLong")
        /// A gateway's template is malformed, or its placeholders can't be filled safely.
        public static let invalidTemplate = Self("invalidTemplate")
        /// The host, the port or the credentials of a mail server are malformed.
        public static let invalidServer = Self("invalidServer")
        /// A value that a template needs is missing, or is not allowed in its place.
        public static let invalidValue = Self("invalidValue")
    }

    /// The kind of the error.
    public let code: Code
    /// The expected input, the input that was found, its place, and the remedy.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
