#if KillHarness
import Foundation
import Testing
import WharfKillHarness

/// Two real processes on one file. `WHARF_HAMMER_ROUNDS=20000` makes a long run.
@Suite struct TwoProcessTests {
    private static let rounds = Int(ProcessInfo.processInfo.environment["WHARF_HAMMER_ROUNDS"] ?? "") ?? 1_000

    @Test func twoProcessesShareOneCacheWithoutErrors() async throws {
        let folder = try Scratch()
        let path = folder.path()
        let executable = try builtExecutable(named: "CacheProbe")
        // Both processes also create the file at the same time.
        let runs = try await withThrowingTaskGroup(of: KillHarness.Run.self) { group in
            for seed in 1...2 {
                let harness = KillHarness(
                    executable: executable, arguments: ["hammer", path, "\(Self.rounds)", "\(seed)"]
                )
                group.addTask { try await harness.run(killing: .never) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for run in runs {
            print("hammer: \(run.lines.last ?? "nothing was said") \(run.standardError)")
            #expect(run.exitCode == 0, "\(run.standardError)")
            let last = run.lines.last ?? ""
            #expect(last.contains("readErrors 0 writeErrors 0 wrong 0 incidents 0"))
            // Each process goes on until it has read, written and removed entries, and read some of
            // the other's. Only then do the zeros above prove anything.
            for count in ["hits", "foreign", "writes", "removals"] {
                #expect(!last.contains("\(count) 0 "), "\(last)")
            }
        }
        #expect(
            try folder.count("SELECT (SELECT bytes FROM total) - (SELECT coalesce(sum(size), 0) FROM response)") == 0)
        #expect(try folder.count("SELECT bytes FROM total") <= 600_000)
        #expect(try folder.count("SELECT bytes FROM total") > 0)
    }

    @Test func concurrentOpensDoNotRace() async throws {
        for _ in 0..<5 {
            let folder = try Scratch()
            let harness = KillHarness(
                executable: try builtExecutable(named: "CacheProbe"), arguments: ["check", folder.path()]
            )
            let runs = try await withThrowingTaskGroup(of: KillHarness.Run.self) { group in
                for _ in 0..<4 { group.addTask { try await harness.run(killing: .never) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for run in runs { #expect(run.exitCode == 0, "\(run.standardError)") }
        }
    }
}
#endif
