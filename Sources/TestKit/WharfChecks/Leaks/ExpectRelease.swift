#if canImport(Testing)
public import Testing

/// Fails unless `object` is released after `action`.
///
/// ```swift
/// var screen: Screen? = Screen()
/// await expectRelease(of: screen, after: { screen = nil })
/// await expectRelease(of: coordinator.sheet, after: { coordinator.dismiss() })
/// ```
///
/// It needs no trait. The test itself must not hold the object either: a `let` of the test lives
/// until the test ends.
///
/// - Parameters:
///   - object: read once, before the action.
///   - grace: the time until the release, for tasks that end a little later.
///   - isolation: the actor on which reflection reads the properties of a leaked object.
public func expectRelease<Object: AnyObject>(
    of object: @autoclosure () -> Object?, after action: () async throws -> Void,
    within grace: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
    isolation: (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
    let scope = LeakScope()
    guard
        scope.track(
            object(), isolation: isolation,
            fail: { message in
                Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
            })
    else { return }
    try await action()
    await scope.check(GracePeriod(duration: grace, clock: clock), after: "the action")
}
#endif
