public import WharfCore

/// An error of reading or writing a recording.
public struct RecordingError: CodedError, Sendable {
    /// The kind of an error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, which is the code's description.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }

        /// The file does not exist or can't be read.
        public static let unreadable = Self("unreadable")
        /// The file can't be written: no such folder, no permission, no space.
        public static let unwritable = Self("unwritable")
        /// The file is not a recording; the message gives line and column.
        public static let malformed = Self("malformed")
        /// The file has another format version.
        ///
        /// A newer version of Wharf may have written it.
        public static let unknownVersion = Self("unknownVersion")
    }

    /// The kind of the error.
    public let code: Code
    /// The expected text, the found text, the place, and advice.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

}

extension TransportError.Code {
    /// The code if a ``RecordingTransport`` could not write its file.
    ///
    /// The `cause` is the ``RecordingError``.
    public static let recordingFailed = Self("recordingFailed")
}
