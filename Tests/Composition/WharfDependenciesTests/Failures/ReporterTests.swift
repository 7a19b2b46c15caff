import Synchronization
import Testing
import WharfDependencies

@testable import WharfChecks

@Suite struct ReporterTests {
    @Test func theReporterOfWharfChecksIsFoundByItsName() {
        #expect(FailureReporting.local.get().isTesting())
    }

    @Test func endpointPassesItsSourceLocationToTheReporter() throws {
        let places = Mutex<[CodePlace]>([])
        let reporting = FailureReporting(
            isTesting: { true }, fail: { _, place in places.withLock { $0.append(CodePlace(place)) } },
            failAndThrow: { _, place in places.withLock { $0.append(CodePlace(place)) } })
        let line = #line + 2
        FailureReporting.local.withValue(reporting) {
            unimplementedEndpoint("load()", default: ())
            #expect(throws: DependencyError.self) { try unimplementedEndpoint("load()") as Int }
        }
        let found = places.withLock { $0 }
        #expect(found.map(\.line) == [line, line + 1])
        #expect(found.allSatisfy { $0.fileID == #fileID && $0.filePath == #filePath && $0.column > 0 })
    }

    @Test func aThrowingEndpointIsOneIssueWhenItsErrorLeavesTheTest() async throws {
        let issues = Mutex<[String]>([])
        try await withKnownIssue {
            _ = try await ProfileReading.unimplemented.readProfile(ofUser: "Ann")
        } matching: { issue in
            issues.withLock { $0.append("\(issue)") }
            return issue.sourceLocation?.line == Test.current?.sourceLocation.line
        }
        let found = issues.withLock { $0 }
        #expect(found.count == 1, "found \(found)")
        #expect(found.first?.contains("ProfileReading.readProfile(ofUser:) was called") == true)
    }

    @Test func aThrowingEndpointIsAnIssueWhenItsErrorIsCaught() async {
        await withKnownIssue {
            _ = try? await ProfileReading.unimplemented.readProfile(ofUser: "Ann")
        }
    }
}
