/// The reason why a store could not complete an operation.
public struct StoreError: CodedError, Sendable {
    /// The kind of failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// The file can't be read or written now.
        ///
        /// The cause is a permission, a lock or data protection. The file is not corrupt.
        public static let unavailable = Self("unavailable")
        /// The disk or the quota is full.
        public static let full = Self("full")
        /// The file is damaged.
        public static let corrupt = Self("corrupt")
        /// The bytes are intact, but not of the requested type or schema. They stay in the store.
        public static let undecodable = Self("undecodable")
        /// The response is larger than the store accepts.
        public static let tooLarge = Self("tooLarge")
        /// Another commit has changed the state that this commit expected.
        ///
        /// Nothing was written. Read the new state and try again.
        public static let changed = Self("changed")
        /// The store or the writer was already closed, committed or abandoned.
        public static let closed = Self("closed")
        /// The task was cancelled.
        public static let cancelled = Self("cancelled")
        /// Another failure; see `cause`.
        public static let failed = Self("failed")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, its place, and the remedy.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
