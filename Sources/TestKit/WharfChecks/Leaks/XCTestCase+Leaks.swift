#if canImport(XCTest)
internal import Synchronization
public import XCTest

// nonisolated: on Linux a synchronous method of a test that is isolated to the main actor crashes.
extension XCTestCase {
    /// Records a failure here if `subject` is still alive after the test and `action`.
    ///
    /// ```swift
    /// override func setUp() {
    ///     sut = Greeter()
    ///     assertNil(sut, after: { self.sut = nil })
    /// }
    /// ```
    ///
    /// The action releases the test case's reference. All actions run before the first object is
    /// checked, so objects that hold each other may be registered in any order. Teardown blocks
    /// that the test adds before its first such call run too late to release an object.
    public nonisolated func assertNil(
        _ subject: AnyObject?, after action: @escaping () -> Void, file: StaticString = #filePath, line: UInt = #line
    ) {
        guard registerLeakCheck(of: subject, file: file, line: line) else { return }
        // Teardown blocks run one after another on the test's thread, where this closure was made.
        nonisolated(unsafe) let action = action
        addTeardownBlock { action() }
    }

    /// Records a failure at this line if `subject` is still alive after the test.
    ///
    /// Use it for an object that only the test method holds. An object in a property of the test
    /// case lives as long as the test case, and needs ``assertNil(_:after:file:line:)``.
    public nonisolated func assertNilAfterTest(
        _ subject: AnyObject?, file: StaticString = #filePath, line: UInt = #line
    ) {
        _ = registerLeakCheck(of: subject, file: file, line: line)
    }

    private nonisolated func registerLeakCheck(of subject: AnyObject?, file: StaticString, line: UInt) -> Bool {
        let key = ObjectIdentifier(self)
        let (scope, isNew) = leakScopes.withLock { scopes in
            if let scope = scopes[key] { return (scope, false) }
            let scope = LeakScope()
            scopes[key] = scope
            return (scope, true)
        }
        if isNew {
            // The block that was added last runs first, so this one runs after the actions.
            addTeardownBlock {
                // The key is an address. A later test case may get the same one, and must not find
                // this scope.
                leakScopes.withLock { $0[key] = nil }
                scope.checkWaiting()
            }
        }
        return scope.track(subject, isolation: MainActor.shared) { message in XCTFail(message, file: file, line: line) }
    }
}

extension LeakScope {
    /// XCTest may take a tenth of a second to notice that asynchronous work is done. So there is
    /// none if all objects are released.
    fileprivate func checkWaiting() {
        if endIfReleased() { return }
        let checked = XCTestExpectation(description: "the leak check of the test")
        Task {
            await check(GracePeriod(duration: GracePeriod.usual, clock: ContinuousClock()), after: "the test")
            checked.fulfill()
        }
        // The task ends by itself, when the period is over and tasks of each priority have run.
        _ = XCTWaiter.wait(for: [checked], timeout: 3_600)
    }
}

/// The scopes of the running test cases. An `XCTestCase` has no place for its scope.
private let leakScopes = Mutex<[ObjectIdentifier: LeakScope]>([:])
#endif
