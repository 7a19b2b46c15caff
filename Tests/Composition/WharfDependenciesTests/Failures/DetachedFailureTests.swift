#if os(Linux)
import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfDependencies

/// Endpoints called in detached tasks, in a separate process. An issue of a detached task belongs
/// to no test, so it would make this whole run fail.
@Suite struct DetachedFailureTests {
    @Test func endpointUnsetInADetachedTaskFailsAtItsLocation() async throws {
        let output = try await output(of: "returns")
        #expect(output.contains("recorded an issue at DetachedFailureTests.swift:\(FailsInDetachedTasks.line)"))
        #expect(output.contains("Feed.clear() was called"))
        #expect(!output.contains("RunningTestReporter.swift"))
    }

    @Test func endpointThrowingInADetachedTaskFailsAtItsLocation() async throws {
        let output = try await output(of: "throws")
        #expect(output.contains("recorded an issue at DetachedFailureTests.swift:\(FailsInDetachedTasks.throwingLine)"))
        #expect(output.contains("Feed.load() was called"))
        #expect(!output.contains("RunningTestReporter.swift"))
    }

    private func output(of name: String) async throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let result = try await RunningProgram.output(of: [
            "\(FailsInDetachedTasks.variable)=\(name)", program, "--testing-library", "swift-testing", "--filter",
            "FailsInDetachedTasks",
        ])
        #expect(result.status != 0, "\(result.text)")
        return result.text
    }
}

/// Fails on purpose if the variable names the test.
@Suite struct FailsInDetachedTasks {
    static let variable = "WHARF_FAILS_DETACHED"

    private static func isAsked(for name: String) -> Bool { ProcessInfo.processInfo.environment[variable] == name }

    static let line = #line + 2
    private func clear() {
        unimplementedEndpoint("Feed.clear()", default: ())
    }

    static let throwingLine = #line + 2
    private func load() throws -> Int {
        try unimplementedEndpoint("Feed.load()")
    }

    @Test(.enabled(if: isAsked(for: "returns"), "another test runs this one in a process"))
    func returns() async {
        await Task.detached { clear() }.value
    }

    @Test(.enabled(if: isAsked(for: "throws"), "another test runs this one in a process"))
    func `throws`() async {
        // The code under test catches the error.
        await Task.detached { _ = try? load() }.value
    }
}
#endif
