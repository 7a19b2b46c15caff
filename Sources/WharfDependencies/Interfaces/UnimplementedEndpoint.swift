/// Stands for an endpoint that throws and that nobody has implemented: it fails the running test by the endpoint's name, and
/// throws, so that the code under test does not go on.
///
/// ```swift
/// static var unimplemented: ProfileReading {
///     ProfileReading(readProfile: { _ in try unimplementedEndpoint("ProfileReading.readProfile(ofUser:)") })
/// }
/// ```
///
/// The running test fails where `WharfChecks` is linked, in Swift Testing and in XCTest. Elsewhere the error is all.
///
/// - Parameter endpoint: its name as it is called, with the interface before it.
/// - Throws: always, ``DependencyError/Code/unimplemented``.
public func unimplementedEndpoint<Value>(
    _ endpoint: String, filePath: StaticString = #filePath, line: UInt = #line
) throws(DependencyError) -> Value {
    let error = DependencyError.unimplemented(endpoint)
    let reporting = FailureReporting.current
    if reporting.isTesting() { reporting.fail(error.message, filePath, line) }
    throw error
}

/// Stands for an endpoint that can't throw: it fails the running test by the endpoint's name, and returns what was declared.
///
/// Where `WharfChecks` is not linked, the message is printed.
///
/// - Parameters:
///   - endpoint: its name as it is called, with the interface before it.
///   - value: `()` for an endpoint that returns nothing.
public func unimplementedEndpoint<Value>(
    _ endpoint: String, default value: @autoclosure () -> Value, filePath: StaticString = #filePath, line: UInt = #line
) -> Value {
    FailureReporting.current.fail(DependencyError.unimplemented(endpoint).message, filePath, line)
    return value()
}
