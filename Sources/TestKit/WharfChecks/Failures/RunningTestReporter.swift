internal import Foundation
internal import Testing
package import WharfDependencies
internal import XCTest

/// Fails the running test in Swift Testing or XCTest.
///
/// `WharfDependencies` finds this type by its name. So it is `package`: the optimiser may remove a
/// type that is visible in its own module only.
package enum RunningTestReporter: FailureReporter {
    package static let isTesting: Bool = {
        let arguments = CommandLine.arguments
        let program = arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        let environment = ProcessInfo.processInfo.environment
        return program.hasSuffix(".xctest") || ["xctest", "swiftpm-testing-helper"].contains(program)
            || arguments.contains("--testing-library")
            // Apps that host tests on Apple platforms.
            || ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"]
                .contains { environment[$0] != nil }
    }()

    package static func fail(_ message: String, at place: FailurePlace) {
        if let test = Test.current {
            Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
        } else {
            // Each library ignores its call if it runs no test.
            XCTFail(message, file: place.filePath, line: place.line)
            CodePlace(place).fail(message)
        }
    }

    package static func record(_ message: String, fileID: String, filePath: String, line: Int, column: Int) {
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column).fail(message)
    }

    /// Records the failure and ends the test in one step.
    ///
    /// Each library's own means is used, as the errors of `#require` and `XCTUnwrap` are not
    /// recorded when they leave a test.
    package static func failAndThrow(_ message: String, at place: FailurePlace) throws {
        if let test = Test.current {
            let isImplemented = false
            try #require(isImplemented, Comment(rawValue: message), sourceLocation: test.sourceLocation)
        } else if isSwiftTesting {
            // A detached task. A test that awaits it records the error that follows as its own
            // issue. Only that issue names the test.
            CodePlace(place).fail(message)
        } else {
            CodePlace(place).fail(message)
            try XCTUnwrap(nil as Void?, message, file: place.filePath, line: place.line)
        }
    }

    /// SwiftPM runs each library in a separate process and names the library. Xcode runs both in
    /// one.
    private static let isSwiftTesting: Bool = {
        let arguments = CommandLine.arguments
        return zip(arguments, arguments.dropFirst()).contains { $0 == "--testing-library" && $1 == "swift-testing" }
    }()
}

extension CodePlace {
    package init(_ place: FailurePlace) {
        self.init(
            fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column))
    }
}
