#if canImport(Darwin)
internal import Darwin
#endif

/// Where failures go, and whether tests run here.
package struct FailureReporting: Sendable {
    package let isTesting: @Sendable () -> Bool
    package let fail: @Sendable (_ message: String, _ filePath: StaticString, _ line: UInt) -> Void

    package init(
        isTesting: @escaping @Sendable () -> Bool,
        fail: @escaping @Sendable (_ message: String, _ filePath: StaticString, _ line: UInt) -> Void
    ) {
        self.isTesting = isTesting
        self.fail = fail
    }

    /// Without `@TaskLocal`: to expand a macro takes the compiler longer than all that is written here.
    package static let local = TaskLocal(
        wrappedValue: Self(
            isTesting: { reporter?.isTesting ?? false },
            fail: { message, filePath, line in
                guard let reporter, reporter.isTesting else { return print("\(filePath):\(line): \(message)") }
                reporter.fail(message, filePath: filePath, line: line)
            }))

    static var current: Self { local.get() }

    /// The reporter of `WharfChecks`, by its name: nothing here may import what only tests link. The compiler keeps a type that
    /// other modules see, and the linker what is named in the list of types, which also the runtime reads.
    private static func lookUp() -> (any FailureReporter.Type)? {
        _typeByName("11WharfChecks19RunningTestReporterO") as? any FailureReporter.Type
    }

    private static let linked = lookUp()

    private static var reporter: (any FailureReporter.Type)? { linked ?? (hostsTests ? lookUp() : nil) }

    /// An app that hosts its tests runs before they are loaded into it; only Apple's platforms have such.
    #if canImport(Darwin)
    private static let hostsTests = getenv("XCTestConfigurationFilePath") != nil
    #else
    private static let hostsTests = false
    #endif
}
