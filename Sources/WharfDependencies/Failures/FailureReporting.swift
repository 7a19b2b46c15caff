#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
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

    @TaskLocal package static var current = linked ?? toStandardError

    /// The reporter of `WharfTesting`, by its name: nothing here may import what only tests link. The compiler keeps a type that
    /// other modules see, and the linker what is named in the list of types, which also the runtime reads.
    package static let linked: Self? =
        (_typeByName("12WharfTesting19RunningTestReporterO") as? any FailureReporter.Type)
        .map { reporter in
            Self(
                isTesting: { reporter.isTesting },
                fail: { message, filePath, line in
                    guard reporter.isTesting else { return toStandardError.fail(message, filePath, line) }
                    reporter.fail(message, filePath: filePath, line: line)
                })
        }

    static let toStandardError = Self(isTesting: { false }) { message, filePath, line in
        let text = Array("\(filePath):\(line): \(message)\n".utf8)
        // Whoever closed standard error does not read it.
        _ = text.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
