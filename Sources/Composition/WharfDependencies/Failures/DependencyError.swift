/// The reason why a dependency could not serve a call.
public struct DependencyError: CodedError, Sendable {
    /// The kind of a dependency error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in descriptions.
        public let name: String
        /// Creates a code.
        public init(_ name: String) { self.name = name }

        /// An endpoint without an implementation was called.
        public static let unimplemented = Self("unimplemented")
        /// The closure of a generic endpoint returned a value of another type.
        public static let wrongType = Self("wrongType")
    }

    /// The kind of the error, for switching.
    public let code: Code
    /// The called endpoint, the missing part, and the remedy.
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

extension DependencyError {
    static func unimplemented(_ endpoint: String) -> Self {
        let interface = endpoint.prefix { $0 != "(" }.split(separator: ".").dropLast().joined(separator: ".")
        let example = interface.isEmpty ? ".unimplemented" : "\(interface).unimplemented"
        return Self(
            .unimplemented,
            message: "\(endpoint) was called, but has no implementation here; give it a closure, "
                + "as in \(example).overriding(…)")
    }
}
