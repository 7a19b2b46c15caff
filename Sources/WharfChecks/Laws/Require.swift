/// Ends a law's check when `condition` does not hold.
///
/// - Parameter found: what was seen in place of what the law says.
public func require(_ condition: Bool, _ found: @autoclosure () -> String) throws {
    guard condition else { throw Broken(found: found()) }
}

/// The value, or the end of a law's check when there is none.
public func require<Value>(_ value: Value?, _ found: @autoclosure () -> String) throws -> Value {
    guard let value else { throw Broken(found: found()) }
    return value
}

/// What `body` returns, or the error that the contract allows. Any other error ends a law's check:
/// who calls a contract handles the errors that it names, and none that a conformer adds.
///
/// ```swift
/// try await require(onlyThrowing: StoreError.self, where: { [.closed, .full].contains($0.code) }) {
///     try await store.save(note)
/// }
/// ```
///
/// - Parameter isAllowed: which of them; all where it is left out. Subclasses of `allowed` are as
///   good.
@discardableResult
public func require<Value, Failure: Error>(
    onlyThrowing allowed: Failure.Type, where isAllowed: (Failure) -> Bool = { _ in true },
    _ body: () async throws -> Value
) async throws -> Result<Value, Failure> {
    do {
        return .success(try await body())
    } catch let broken as Broken {
        throw broken
    } catch let error as Failure where isAllowed(error) {
        return .failure(error)
    } catch {
        try Task.checkCancellation()
        throw Broken(found: "\(Broken(error).found), which the contract does not allow")
    }
}

/// What a law found in place of what it says.
package struct Broken: Error {
    package let found: String

    package init(found: String) { self.found = found }

    package init(_ error: any Error) {
        found = (error as? Broken)?.found ?? "it threw \(type(of: error)): \(error)"
    }
}
