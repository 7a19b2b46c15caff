/// Returns the value that a service returned, as a call that may throw.
///
/// `@Interface(of:)` generates calls of it. A macro does not see whether the method behind an
/// endpoint throws or suspends like the endpoint, and needless `try` and `await` are warnings.
/// Handwritten code does not need it.
@inlinable public func forwarded<Value, Failure: Error>(
    _ value: Value, throwing failure: Failure.Type = (any Error).self
) throws(Failure) -> Value {
    value
}

/// Returns the value that a service returned, as a call that may throw or suspend.
@inlinable public nonisolated(nonsending) func forwarded<Value, Failure: Error>(
    _ value: Value, throwing failure: Failure.Type = (any Error).self
) async throws(Failure) -> Value {
    value
}
