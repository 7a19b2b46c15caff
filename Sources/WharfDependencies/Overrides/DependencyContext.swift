#if canImport(Darwin)
internal import Darwin
#endif

/// A choice of the values that keys have where no override replaces them.
public enum DependencyContext: Hashable, Sendable {
    /// An app or a server: ``LiveDependencyKey/live``.
    case live
    /// A preview of Xcode: ``PreviewDependencyKey/preview``. A key without it has its live value.
    case preview
    /// A test: ``DependencyKey/unimplemented``.
    case test
}

extension DependencyContext {
    /// The context of this process: a preview, a test if `WharfChecks` is linked, or an app.
    static var ofProcess: Self {
        if isPreview { return .preview }
        return FailureReporting.current.isTesting() ? .test : .live
    }

    /// Xcode sets the variable in each process that draws previews, so only its platforms ask.
    #if canImport(Darwin)
    private static let isPreview = getenv("XCODE_RUNNING_FOR_PREVIEWS").map { String(cString: $0) == "1" } ?? false
    #else
    private static let isPreview = false
    #endif
}
