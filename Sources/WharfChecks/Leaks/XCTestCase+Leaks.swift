#if canImport(XCTest)
internal import Synchronization
public import XCTest

// nonisolated: on Linux a synchronous method of a test that is bound to the main actor crashes.
extension XCTestCase {
    /// Fails at this line when `subject` is still alive after the test, and after `action` has let
    /// go of it.
    ///
    /// ```swift
    /// override func setUp() {
    ///     sut = Greeter()
    ///     assertNil(sut, after: { self.sut = nil })
    /// }
    /// ```
    ///
    /// The actions of all such calls run before the first object is looked at, so that objects
    /// which hold each other may be registered in any order. Blocks that the test adds before its
    /// first such call run too late to let go of anything.
    public nonisolated func assertNil(
        _ subject: AnyObject?, after action: @escaping () -> Void, file: StaticString = #filePath, line: UInt = #line
    ) {
        guard registerLeakCheck(of: subject, file: file, line: line) else { return }
        // Teardown blocks run one after another on the thread of the test, where this closure was
        // made.
        nonisolated(unsafe) let action = action
        addTeardownBlock { action() }
    }

    /// Fails at this line when `subject` is still alive after the test.
    ///
    /// For what only the test method holds. What a property of the test case holds lives as long as
    /// that does, and needs ``assertNil(_:after:file:line:)``.
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
            // The last block added is the first to run, so this one comes after the actions.
            addTeardownBlock {
                leakScopes.withLock { $0[key] = nil }
                scope.checkWaiting()
            }
        }
        return scope.track(subject, isolation: MainActor.shared) { message in XCTFail(message, file: file, line: line) }
    }
}

extension LeakScope {
    /// XCTest may take a tenth of a second to see that something asynchronous is done, so there is
    /// nothing of that sort where all objects are gone.
    fileprivate func checkWaiting() {
        if endIfReleased() { return }
        let checked = XCTestExpectation(description: "the leak check of the test")
        Task {
            await check(GracePeriod(duration: GracePeriod.usual, clock: ContinuousClock()), after: "the test")
            checked.fulfill()
        }
        // It ends by itself, when the period is over and tasks of each priority had their turns.
        _ = XCTWaiter.wait(for: [checked], timeout: 3_600)
    }
}

/// Those of the test cases that run: there is no place for it in an `XCTestCase`.
private let leakScopes = Mutex<[ObjectIdentifier: LeakScope]>([:])
#endif
