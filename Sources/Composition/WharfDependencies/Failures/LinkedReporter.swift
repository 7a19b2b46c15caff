#if canImport(Darwin)
internal import Darwin
#endif

/// The reporter of `WharfChecks`, if it is linked into this process.
///
/// This file uses the one underscored symbol of the module, `_typeByName`. The alternatives fail:
/// - An import would link a testing library into apps.
/// - A registration at launch needs code that runs when `WharfChecks` is loaded. Swift has none.
/// - `NSClassFromString` needs Foundation. `dlsym` needs the exact mangled name of a function, and
///   a linker that keeps an uncalled function.
///
/// The compiler keeps a type that is visible to other modules. The linker keeps each type in the
/// list of types, which the runtime reads. `ReporterTests` fails if the name is not found.
enum LinkedReporter {
    static var type: (any FailureReporter.Type)? { linked ?? (hostsTests ? lookUp() : nil) }

    private static let linked = lookUp()

    private static func lookUp() -> (any FailureReporter.Type)? {
        _typeByName("11WharfChecks19RunningTestReporterO") as? any FailureReporter.Type
    }

    /// Whether this process is an app that hosts its tests.
    ///
    /// It runs before the tests are loaded, so the lookup is repeated. Linux has no such apps.
    #if canImport(Darwin)
    private static let hostsTests = getenv("XCTestConfigurationFilePath") != nil
    #else
    private static let hostsTests = false
    #endif
}
