/// Why a store could not do what it was asked.
public struct StoreError: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The file can't be read or written now: permission, a lock, protected data. It is not
        /// corrupt.
        public static let unavailable = Self("unavailable")
        /// The disk or the quota is full.
        public static let full = Self("full")
        /// The file is damaged.
        public static let corrupt = Self("corrupt")
        /// The bytes are whole, but not of the type or schema that was asked for. They stay where
        /// they are.
        public static let undecodable = Self("undecodable")
        /// The response is larger than the store takes.
        public static let tooLarge = Self("tooLarge")
        /// Somebody else has committed what this commit did not expect. Nothing was written: look,
        /// and try again.
        public static let changed = Self("changed")
        /// The store or the writer was closed, committed or abandoned before.
        public static let closed = Self("closed")
        /// The task was cancelled.
        public static let cancelled = Self("cancelled")
        /// Anything else; see `cause`.
        public static let failed = Self("failed")
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

extension StoreError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
