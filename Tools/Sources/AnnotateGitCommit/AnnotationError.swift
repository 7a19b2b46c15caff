/// The reason that the tool failed, and the remedy.
///
/// It has the members of Wharf's `CodedError`, but does not import it: the tool does not depend on
/// Wharf.
public struct AnnotationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, which determines the exit status.
    ///
    /// New versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name, as in `noTicket`.
        public let name: String
        /// The exit status of the process.
        public let exitStatus: Int32
        public var description: String { name }

        init(_ name: String, exitStatus: Int32) { (self.name, self.exitStatus) = (name, exitStatus) }

        /// No ticket was found although one is required.
        public static let noTicket = Code("noTicket", exitStatus: 1)
        /// A hook of another origin exists.
        public static let foreignHook = Code("foreignHook", exitStatus: 1)
        /// The arguments are wrong (`EX_USAGE`).
        public static let usage = Code("usage", exitStatus: 64)
        /// A file can't be read (`EX_NOINPUT`).
        public static let unreadable = Code("unreadable", exitStatus: 66)
        /// git, or another program, is missing or failed (`EX_UNAVAILABLE`).
        public static let programFailed = Code("programFailed", exitStatus: 69)
        /// A file can't be written (`EX_CANTCREAT`).
        public static let unwritable = Code("unwritable", exitStatus: 73)
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, and the remedy.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code): \(message)" }
}
