#if canImport(Testing)
public import Testing

/// A trait that fails a test if an object that it registered outlives it.
///
/// Objects are registered by ``trackForLeaks(_:isolation:sourceLocation:)``.
///
/// ```swift
/// @Suite(.trackingLeaks) struct PresenterTests {
///     @Test func showsTheUser() {
///         let presenter = Presenter(screen: Screen())
///         trackForLeaks(presenter)
///         …
///     }
/// }
/// ```
///
/// On a suite it applies to each test of the suite. A suite's stored properties are released before
/// the check. Concurrent tests, and the arguments of a parameterised test, track separate objects.
public struct LeakTracking: TestTrait, SuiteTrait, TestScoping {
    let grace: GracePeriod

    public var isRecursive: Bool { true }

    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await LeakScope.run(grace, function)
    }
}

extension Trait where Self == LeakTracking {
    /// Tracks leaks, and gives objects a second to be released.
    ///
    /// A test whose objects are released at its end does not wait.
    public static var trackingLeaks: Self { trackingLeaks(within: GracePeriod.usual) }

    /// Tracks leaks with a grace period.
    ///
    /// - Parameter grace: the time that objects may outlive the test, for tasks that end a little
    ///   later. The check waits only while an object is alive. It waits longer while the machine is
    ///   too busy to run such tasks.
    public static func trackingLeaks(
        within grace: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> Self {
        Self(grace: GracePeriod(duration: grace, clock: clock))
    }
}
#endif
