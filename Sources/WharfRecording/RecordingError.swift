public import WharfCore

/// Why a recording can't be read or written.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// There is no such file, or it can't be read.
        public static let unreadable = Self("unreadable")
        /// The file can't be written: no such folder, no permission, no space.
        public static let unwritable = Self("unwritable")
        /// The file is no recording; the message says in which line and column.
        public static let malformed = Self("malformed")
        /// The file has another format: that of a newer version of Wharf, for one.
        public static let unknownVersion = Self("unknownVersion")
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
}

extension TransportError.Code {
    /// A ``RecordingTransport`` could not write what it recorded; `cause` is the
    /// ``RecordingError``.
    public static let recordingFailed = Self("recordingFailed")
}
