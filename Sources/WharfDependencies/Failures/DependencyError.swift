/// Why a dependency could not do what was asked of it.
public struct DependencyError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// An endpoint was called that nobody has implemented.
        public static let unimplemented = Self("unimplemented")
        /// The closure behind a generic endpoint returned a value of another type than it was asked
        /// for.
        public static let wrongType = Self("wrongType")
    }

    public let code: Code
    /// What was called, what is missing, and what to do.
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { "\(code): \(message)" }
}

extension DependencyError {
    static func unimplemented(_ endpoint: String) -> Self {
        let interface = endpoint.prefix { $0 != "(" }.split(separator: ".").dropLast().joined(separator: ".")
        let example = interface.isEmpty ? ".unimplemented" : "\(interface).unimplemented"
        return Self(
            .unimplemented,
            message: "\(endpoint) was called, and nothing implements it here; give it a closure, "
                + "as in \(example).overriding(…)")
    }
}
