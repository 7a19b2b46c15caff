#if KillHarness
import Foundation
import Testing
import WharfKillHarness
import WharfRandom
import WharfSQLite

/// Kills with SIGKILL during writes. `WHARF_KILLS=N` makes a long run.
@Suite(.serialized) struct KillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["WHARF_KILLS"] ?? "") ?? 40
    private static let labels = WritePoint.allCases.map(\.rawValue)

    @Test func entriesAreWholeWhenKilledAtAnyLabel() async throws {
        let folder = try Scratch()
        var tally = Tally()
        for index in 0..<max(Self.labels.count, Self.kills / 2) {
            let label = Self.labels[index % Self.labels.count]
            let times = 1 + index / Self.labels.count * 3 % 20
            let run = try await start(
                ["write", folder.path(), "\(index + 1)", label, "\(times)"], in: folder,
                .at("at \(label)", times: times)
            )
            #expect(run.lines.last == "at \(label)")
            try await tally.add(run, check(folder, after: run))
        }
        tally.report("at labels")
        #expect(tally.between > 0)
    }

    @Test func entriesAreWholeWhenKilledAtRandom() async throws {
        let folder = try Scratch()
        var random = SeededGenerator(seed: 20_261_121)
        var tally = Tally()
        var index = 0
        // The machine decides where a kill lands, so this repeats until one lands in a write.
        while index < Self.kills - Self.kills / 2 || tally.between == 0 {
            let moment = KillHarness.KillPoint.after(
                lines: 2 + Int(random.next() % 200), microseconds: Int(random.next() % 1500)
            )
            let run = try await start(["write", folder.path(), "\(1000 + index)"], in: folder, moment)
            index += 1
            try await tally.add(run, check(folder, after: run))
        }
        tally.report("at random")
    }

    private func start(
        _ arguments: [String], in folder: Scratch, _ moment: KillHarness.KillPoint
    ) async throws -> KillHarness.Run {
        let harness = KillHarness(executable: try builtExecutable(named: "CacheProbe"), arguments: arguments)
        let run = try await harness.run(killing: moment)
        #expect(run.wasKilled, "\(moment): it ended with \(run.exitCode ?? -1): \(run.standardError)")
        return run
    }

    /// Opens the file in another process, which verifies all entries and the accounting.
    private func check(_ folder: Scratch, after run: KillHarness.Run) async throws {
        let harness = KillHarness(
            executable: try builtExecutable(named: "CacheProbe"), arguments: ["check", folder.path()])
        let checked = try await harness.run(killing: .never)
        #expect(checked.exitCode == 0, "\(checked.standardError)")
        #expect(checked.lines.last == "checked")
        // The last committed entry is there, unless a later write to the same key was in progress
        // and completed.
        if let last = run.lines.last(where: { $0.hasPrefix("kept ") })?.split(separator: " "),
            let key = last.dropFirst().first
        {
            let begun = run.lines.last { $0.hasPrefix("begins ") }?.split(separator: " ")
            let allowed = [last, begun].compactMap { $0 }.filter { $0[1] == key }.map { "has \($0[1]) \($0[2])" }
            #expect(checked.lines.contains { allowed.contains($0) }, "\(last) is gone")
        }
        #expect(
            try folder.count("SELECT (SELECT bytes FROM total) - (SELECT coalesce(sum(size), 0) FROM response)") == 0)
        #expect(try folder.count("SELECT count(*) FROM body WHERE id NOT IN (SELECT id FROM response)") == 0)
        #expect(try folder.count("SELECT count(*) FROM body_file WHERE id NOT IN (SELECT id FROM response)") == 0)
        #expect(
            try folder.count(
                "SELECT count(*) FROM response WHERE id NOT IN (SELECT id FROM body UNION SELECT id FROM body_file)")
                == 0)
        #expect(try folder.count("SELECT count(*) FROM removed_file") == 0)
        // The check has removed the files that the kill left without a row.
        #expect(try folder.bodies.count == folder.count("SELECT count(*) FROM body_file"))
        #expect(try folder.count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0)
        #expect(try !folder.names.contains { $0.contains("corrupt") || $0.contains("damaged") })
    }

    private struct Tally {
        var kills = 0
        /// Kills after the first byte was accepted and before the commit was reported.
        var between = 0

        mutating func add(_ run: KillHarness.Run, _ checked: Void) {
            kills += run.wasKilled ? 1 : 0
            let between = [
                "appended", "fileMade", "pieceWritten", "fileSynced", "fileRenamed", "inTransaction", "headWritten",
                "bodyWritten", "evicted", "beforeCommit",
            ]
            let last = run.lines.last { $0.hasPrefix("at ") || $0.hasPrefix("kept ") }
            if run.wasKilled, let last, between.contains(String(last.dropFirst(3))) { self.between += 1 }
        }

        func report(_ how: String) {
            print("\(between) of \(kills) kills \(how) landed between the first byte and the commit")
        }
    }
}
#endif
