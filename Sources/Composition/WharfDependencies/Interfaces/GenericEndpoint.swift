/// Casts the result of an endpoint's closure to the type that the caller requested.
///
/// A closure cannot be generic. So a generic endpoint takes the type as a value and returns `any`,
/// and a method beside it is generic:
///
/// ```swift
/// let read: @Sendable (_ type: any Decodable.Type, _ at: String) async throws -> any Decodable
///
/// func read<Value: Decodable>(type: Value.Type, at: String) async throws -> Value {
///     try await genericEndpoint("Feed.read(type:at:)", self.read(type, at))
/// }
/// ```
///
/// - Throws: ``DependencyError/Code/wrongType`` if the closure returned a value of another type.
public func genericEndpoint<Value>(_ endpoint: String, _ value: Any) throws(DependencyError) -> Value {
    guard let value = value as? Value else {
        throw DependencyError(
            .wrongType,
            message: "\(endpoint) was asked for \(Value.self), but its closure returned \(type(of: value)); "
                + "return a value of the type that the caller asks for")
    }
    return value
}
