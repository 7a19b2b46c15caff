import WharfChecks
import WharfDependencies
import XCTest

/// Unimplemented endpoints under XCTest. The class records each test's failures, and expects one.
final class XCTestFailureTests: XCTestCase {
    private var failures: [(message: String, place: String)] = []
    private var line = 0

    #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
        let place = issue.sourceCodeContext.location.map { "\($0.fileURL.lastPathComponent):\($0.lineNumber)" }
        failures.append((issue.compactDescription, place ?? ""))
    }
    #else
    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        failures.append((description, "\(filePath.split(separator: "/").last ?? ""):\(lineNumber)"))
    }
    #endif

    func testAnUnimplementedEndpointFailsTheTestWhereItIsDeclared() {
        line = #line + 1
        unimplementedEndpoint("ProfileReading.markRead(_:)", default: ())
    }

    func testAThrowingEndpointFailsTheTestOnce() throws {
        line = #line + 1
        let _: Int = try unimplementedEndpoint("ProfileReading.markRead(_:)")
    }

    /// By now XCTest has recorded an error that the test threw.
    override func tearDown() {
        let isAsExpected =
            failures.map(\.place) == ["XCTestFailureTests.swift:\(line)"]
            && failures[0].message.contains("ProfileReading.markRead(_:) was called")
        if !isAsExpected {
            super.recordFailure(
                withDescription: "found: \(failures)", inFile: #filePath, atLine: #line, expected: true)
        }
    }
}
