/// Why a text is no fault plan.
public struct FaultPlanError: Error, Sendable {
    /// What is wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Neither a preset nor a fault has that name.
        public static let unknownFault = Self("unknownFault")
        /// Behind a comma stands what is no option, or none of this fault's.
        public static let unknownOption = Self("unknownOption")
        /// A value that can't be read, or is missing, or is one too many.
        public static let invalidValue = Self("invalidValue")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?

    init(_ code: Code, message: String) {
        self.code = code
        self.message = message
        self.cause = nil
    }
}

extension FaultPlanError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
