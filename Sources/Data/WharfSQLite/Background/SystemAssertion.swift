#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
public import WharfCore

/// The system's background assertion. This platform suspends no process, so it does nothing.
public struct SystemAssertion: BackgroundAssertion {
    /// Creates the system's assertion.
    public init() {}

    public func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void { {} }
}
#endif
