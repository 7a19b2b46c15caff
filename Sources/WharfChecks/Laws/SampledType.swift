/// A type under examination, as what makes its values.
public struct SampledType<Value>: Sendable, CustomStringConvertible {
    public let description: String
    package let values: Generator<Value>

    /// - Parameter name: stands in the message of a violation.
    public init(_ name: String, _ values: Generator<Value>) {
        description = name
        self.values = values
    }
}
