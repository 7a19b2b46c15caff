import WharfChecks
import WharfDependencies
import XCTest

/// Unimplemented endpoints under XCTest. It records what would fail the test, and expects it.
final class XCTestFailureTests: XCTestCase {
    private var failures: [(message: String, place: String)] = []

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
        let line = #line + 1
        unimplementedEndpoint("ProfileReading.markRead(_:)", default: ())
        XCTAssertEqual(failures.map(\.place), ["XCTestFailureTests.swift:\(line)"])
        let message = failures.first?.message ?? ""
        guard message.contains("ProfileReading.markRead(_:) was called") else {
            return super.recordFailure(
                withDescription: "found: \(message)", inFile: #filePath, atLine: #line, expected: true)
        }
    }
}
