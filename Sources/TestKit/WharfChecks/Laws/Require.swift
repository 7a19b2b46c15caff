/// Ends a law's check if `condition` does not hold.
///
/// - Parameter found: the result that was found, in place of the expected one.
public func require(_ condition: Bool, _ found: @autoclosure () -> String) throws {
    guard condition else { throw FailedRequirement(found: found()) }
}

/// Returns the value, or ends a law's check if there is none.
public func require<Value>(_ value: Value?, _ found: @autoclosure () -> String) throws -> Value {
    guard let value else { throw FailedRequirement(found: found()) }
    return value
}

/// Returns the result of `body`, or an error that the contract allows.
///
/// Any other error ends a law's check. The caller of a contract handles the errors that it names,
/// and none that a conformer adds.
///
/// ```swift
/// try await require(onlyThrowing: StoreError.self, where: { [.closed, .full].contains($0.code) }) {
///     try await store.save(note)
/// }
/// ```
///
/// - Parameter isAllowed: selects the allowed errors. By default all errors of the type are
///   allowed, including those of subclasses.
@discardableResult
public func require<Value, Failure: Error>(
    onlyThrowing allowed: Failure.Type, where isAllowed: (Failure) -> Bool = { _ in true },
    _ body: () async throws -> Value
) async throws -> Result<Value, Failure> {
    do {
        return .success(try await body())
    } catch let broken as FailedRequirement {
        throw broken
    } catch let error as Failure where isAllowed(error) {
        return .failure(error)
    } catch {
        try Task.checkCancellation()
        throw FailedRequirement(found: "\(FailedRequirement(error).found), which the contract does not allow")
    }
}

/// A failed requirement of a law, with the result that was found.
package struct FailedRequirement: Error {
    package let found: String

    package init(found: String) { self.found = found }

    package init(_ error: any Error) {
        found = (error as? FailedRequirement)?.found ?? "it threw \(type(of: error)): \(error)"
    }
}
