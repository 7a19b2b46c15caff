#if canImport(Testing)
public import Testing

/// Records a failure at this line if `object` is still alive after the test.
///
/// The object is held weakly. The test or its suite must have the trait `.trackingLeaks`, or the
/// call is a failure. For a test of XCTest there is `assertNilAfterTest(_:)`. The test's own
/// variables are released before the check.
///
/// - Parameter isolation: the actor on which reflection reads the properties of a leaked object, to
///   find the cycle.
/// - Returns: the object.
@discardableResult
public func trackForLeaks<Object: AnyObject>(
    _ object: Object, isolation: (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation
) -> Object {
    let tracked = TrackedObject(object, isolation: isolation) { message in
        Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
    }
    guard let scope = LeakScope.current else {
        tracked.fail(
            "no test tracks leaks here, so nothing checks whether \(tracked.type) is released. "
                + "Add the trait .trackingLeaks to the test or its suite, and call this in the test itself or a task of it "
                + "that is not detached; in a test of XCTest call assertNilAfterTest"
        )
        return object
    }
    if !scope.track(tracked) {
        tracked.fail(
            "\(tracked.type) was registered after its test had ended. "
                + "Wait in the test for the task that registers it"
        )
    }
    return object
}
#endif
