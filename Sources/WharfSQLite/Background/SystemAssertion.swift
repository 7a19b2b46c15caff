#if SQLite && !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
public import WharfCore

/// What the system asks of a process that writes: nothing on this platform, which suspends none.
public struct SystemAssertion: BackgroundAssertion {
    public init() {}

    public func begin(
        onExpiry: @escaping @Sendable () -> Void
    ) async throws(StoreError) -> @Sendable () -> Void { {} }
}
#endif
