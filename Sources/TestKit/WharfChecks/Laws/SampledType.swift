/// A type under test, with a generator of its values.
public struct SampledType<Value>: Sendable, CustomStringConvertible {
    public let description: String
    package let values: Generator<Value>

    /// Creates a subject for laws about a type.
    ///
    /// - Parameter name: the name in the message of a violation.
    public init(_ name: String, _ values: Generator<Value>) {
        description = name
        self.values = values
    }
}
