/// What a service returned, as the result of a call that may throw. `@Interface(of:)` writes it,
/// because a macro does not see whether the method behind an endpoint throws or suspends as the
/// endpoint may, and needless `try` and `await` are warnings. By hand it is not needed.
@inlinable public func forwarded<Value, Failure: Error>(
    _ value: Value, throwing failure: Failure.Type = (any Error).self
) throws(Failure) -> Value {
    value
}

/// The same as the result of a call that may suspend.
@inlinable public nonisolated(nonsending) func forwarded<Value, Failure: Error>(
    _ value: Value, throwing failure: Failure.Type = (any Error).self
) async throws(Failure) -> Value {
    value
}
