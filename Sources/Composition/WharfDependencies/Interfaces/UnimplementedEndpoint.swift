/// Fails the running test with the name of an unimplemented endpoint, and throws.
///
/// Use it in the closure of an endpoint that throws, so that the code under test stops there:
///
/// ```swift
/// static var unimplemented: ProfileReading {
///     ProfileReading(
///         readProfile: { _ in try unimplementedEndpoint("ProfileReading.readProfile(ofUser:)") })
/// }
/// ```
///
/// - The test fails at its `@Test` if `WharfChecks` is linked, in Swift Testing and in XCTest.
/// - The failure is one issue: an error that leaves the test is not recorded again.
/// - In a detached task, where no test is known, the failure has the place of this call.
///
/// - Parameter endpoint: the name of the endpoint as in a call, after the name of its interface.
/// - Throws: in a test, the error of `#require` or `XCTUnwrap`, which fails the test as these do.
///   Elsewhere, and in a detached task of Swift Testing, ``DependencyError/Code/unimplemented``.
public func unimplementedEndpoint<Value>(
    _ endpoint: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) throws -> Value {
    let error = DependencyError.unimplemented(endpoint)
    let place = FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    try FailureReporting.current.failAndThrow(error.message, place)
    throw error
}

/// Fails the running test with the name of an unimplemented endpoint, and returns.
///
/// Use it in the closure of an endpoint that cannot throw. Without `WharfChecks` the message is
/// printed.
///
/// - Parameters:
///   - endpoint: the name of the endpoint as in a call, after the name of its interface.
///   - value: the result; `()` for an endpoint that returns nothing.
public func unimplementedEndpoint<Value>(
    _ endpoint: String, default value: @autoclosure () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Value {
    let place = FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    FailureReporting.current.fail(DependencyError.unimplemented(endpoint).message, place)
    return value()
}
