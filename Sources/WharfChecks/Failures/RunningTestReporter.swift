internal import Foundation
internal import Testing
internal import WharfDependencies
internal import XCTest

/// Fails the test that runs, whichever library runs it. `WharfDependencies` finds it by its name, which is why it is no less than
/// `package`: of a type that no other module sees the optimiser may leave nothing.
package enum RunningTestReporter: FailureReporter {
    package static let isTesting: Bool = {
        let arguments = CommandLine.arguments
        let program = arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        let environment = ProcessInfo.processInfo.environment
        return program.hasSuffix(".xctest") || ["xctest", "swiftpm-testing-helper"].contains(program)
            || arguments.contains("--testing-library")
            // Apps that host tests on Apple's platforms.
            || ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
                .contains { environment[$0] != nil }
    }()

    package static func fail(_ message: String, filePath: StaticString, line: UInt) {
        if let test = Test.current {
            Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
        } else {
            // A detached task knows of no test. Each library ignores this where it runs none.
            XCTFail(message, file: filePath, line: line)
            Issue.record(Comment(rawValue: message))
        }
    }
}
