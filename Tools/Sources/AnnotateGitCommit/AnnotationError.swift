/// Why the tool could not do what it was asked to, and what to do about it.
public struct AnnotationError: Error, Hashable, Sendable {
    /// What went wrong, and by it the exit status. More may come.
    public struct Code: Hashable, Sendable {
        /// The status that the process ends with.
        public let exitStatus: Int32

        /// No ticket was found where one has to be.
        public static let noTicket = Code(exitStatus: 1)
        /// There is a hook that somebody else wrote.
        public static let foreignHook = Code(exitStatus: 1)
        /// The command line is not one (`EX_USAGE`).
        public static let usage = Code(exitStatus: 64)
        /// A file can't be read (`EX_NOINPUT`).
        public static let unreadable = Code(exitStatus: 66)
        /// git, or another program, is missing or failed (`EX_UNAVAILABLE`).
        public static let programFailed = Code(exitStatus: 69)
        /// A file can't be written (`EX_CANTCREAT`).
        public static let unwritable = Code(exitStatus: 73)
    }

    public let code: Code
    /// What was expected, what was found, what to do.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
