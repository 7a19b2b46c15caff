#if KillHarness
import Foundation
import Testing
import WharfKillHarness

/// The memory of a process that caches a large body. `WHARF_LARGE_BODY=1024` passes 1 GiB.
@Suite struct MemoryTests {
    private static let megabytes = Int(ProcessInfo.processInfo.environment["WHARF_LARGE_BODY"] ?? "") ?? 128

    @Test func largeBodyIsCachedInAFewMegabytes() async throws {
        let folder = try Scratch()
        let harness = KillHarness(
            executable: try builtExecutable(named: "CacheProbe"),
            arguments: ["stream", folder.path(), "\(Self.megabytes)"])
        let run = try await harness.run(killing: .never)
        #expect(run.exitCode == 0, "\(run.standardError)")
        let grown = try #require(run.lines.last { $0.hasPrefix("grew ") }.flatMap { Int($0.dropFirst(5)) })
        print("the memory grew by \(grown) KiB for a body of \(Self.megabytes) MiB")
        // A process that holds the body grows by its whole size.
        #expect(grown <= 32 << 10)
    }
}
#endif
