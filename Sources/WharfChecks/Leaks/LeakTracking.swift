#if canImport(Testing)
public import Testing

/// Fails a test for each object that it registered by
/// ``trackForLeaks(_:isolation:sourceLocation:)`` and that outlives it.
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
/// On a suite it is that of each test in it, and a suite's stored properties are gone before the
/// check. The arguments of a parameterised test, and tests that run at the same time, know nothing
/// of each other's objects.
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
    /// Objects have a second to be released; a test whose objects are gone at its end does not
    /// wait.
    public static var trackingLeaks: Self { trackingLeaks(within: GracePeriod.usual) }

    /// - Parameter grace: how long objects may live on after the test, for tasks that end a little
    ///   later. It is waited for only while one is alive, and as long as the machine is too busy to
    ///   run such tasks.
    public static func trackingLeaks(
        within grace: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> Self {
        Self(grace: GracePeriod(duration: grace, clock: clock))
    }
}
#endif
