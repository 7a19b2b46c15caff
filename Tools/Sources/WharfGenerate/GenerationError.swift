/// Why no types can be made: what was expected, what was found, what to do.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    init(_ message: String) { self.message = message }

    public var description: String { message }
}
