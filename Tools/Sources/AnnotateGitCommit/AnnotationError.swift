/// The reason that the tool failed, and the remedy.
public struct AnnotationError: Error, Hashable, Sendable {
    /// The kind of failure, which determines the exit status.
    ///
    /// New versions may add kinds.
    public struct Code: Hashable, Sendable {
        /// The exit status of the process.
        public let exitStatus: Int32

        /// No ticket was found although one is required.
        public static let noTicket = Code(exitStatus: 1)
        /// A hook of another origin exists.
        public static let foreignHook = Code(exitStatus: 1)
        /// The arguments are wrong (`EX_USAGE`).
        public static let usage = Code(exitStatus: 64)
        /// A file can't be read (`EX_NOINPUT`).
        public static let unreadable = Code(exitStatus: 66)
        /// git, or another program, is missing or failed (`EX_UNAVAILABLE`).
        public static let programFailed = Code(exitStatus: 69)
        /// A file can't be written (`EX_CANTCREAT`).
        public static let unwritable = Code(exitStatus: 73)
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, and the remedy.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
