#if canImport(Darwin)
internal import Darwin
#endif

/// The choice of values for keys without an override.
public enum DependencyContext: Hashable, Sendable {
    /// For an app or a server: ``LiveDependencyKey/live``.
    case live
    /// For an Xcode preview: ``PreviewDependencyKey/preview``, or else the live value.
    case preview
    /// For a test: ``DependencyKey/unimplemented``.
    case test
}

extension DependencyContext {
    /// The context of this process.
    ///
    /// It is a preview, a test if `WharfChecks` is linked, or an app.
    static var ofProcess: Self {
        if isPreview { return .preview }
        return FailureReporting.current.isTesting() ? .test : .live
    }

    /// Whether the process draws Xcode previews.
    ///
    /// Xcode sets the variable, so it is read only on Apple's platforms.
    #if canImport(Darwin)
    private static let isPreview = getenv("XCODE_RUNNING_FOR_PREVIEWS").map { String(cString: $0) == "1" } ?? false
    #else
    private static let isPreview = false
    #endif
}
