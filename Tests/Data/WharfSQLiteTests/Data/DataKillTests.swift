#if KillHarness
import Foundation
import Testing
import WharfKillHarness
import WharfRandom
import WharfSQLite

/// Kills with SIGKILL during commits. `WHARF_KILLS=N` makes a long run.
@Suite(.serialized) struct DataKillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["WHARF_KILLS"] ?? "") ?? 40
    private static let labels = DataPoint.allCases.map(\.rawValue)

    @Test func commitIsWholeOrAbsentWhenKilledAtAnyLabel() async throws {
        let folder = try Scratch()
        var between = 0
        for index in 0..<max(Self.labels.count, Self.kills / 2) {
            let label = Self.labels[index % Self.labels.count]
            let times = 1 + index / Self.labels.count * 3 % 20
            let run = try await start(index + 1, [label, "\(times)"], in: folder, .at("at \(label)", times: times))
            #expect(run.lines.last == "at \(label)")
            between += try await check(folder, after: run)
        }
        print("\(between) kills at labels landed inside a commit")
        #expect(between > 0)
    }

    @Test func commitIsWholeOrAbsentWhenKilledAtRandom() async throws {
        let folder = try Scratch()
        var random = SeededGenerator(seed: 20_261_121)
        var between = 0
        var index = 0
        // The machine decides where a kill lands, so this repeats until one lands in a transaction.
        while index < Self.kills - Self.kills / 2 || between == 0 {
            let moment = KillHarness.KillPoint.after(
                lines: 2 + Int(random.next() % 300), microseconds: Int(random.next() % 1500)
            )
            between += try await check(folder, after: try await start(1000 + index, [], in: folder, moment))
            index += 1
        }
        print("\(between) kills at random landed inside a commit")
    }

    private func start(
        _ seed: Int, _ more: [String], in folder: Scratch, _ moment: KillHarness.KillPoint
    ) async throws -> KillHarness.Run {
        let harness = KillHarness(
            executable: try builtExecutable(named: "DataProbe"),
            arguments: ["write", folder.path("data.sqlite"), "\(seed)"] + more)
        let run = try await harness.run(killing: moment)
        #expect(run.wasKilled, "\(moment): it ended with \(run.exitCode ?? -1): \(run.standardError)")
        return run
    }

    /// Opens the file in another process, which verifies all rows.
    ///
    /// - Returns: 1 if the kill landed between the begin and the end of a transaction, else 0.
    private func check(_ folder: Scratch, after run: KillHarness.Run) async throws -> Int {
        let harness = KillHarness(
            executable: try builtExecutable(named: "DataProbe"), arguments: ["check", folder.path("data.sqlite")])
        let checked = try await harness.run(killing: .never)
        #expect(checked.exitCode == 0, "\(checked.standardError)")
        #expect(checked.lines.last == "checked")
        // The last acknowledged commit is there, or one that was begun after it.
        let (committed, begun) = (last("committed", of: run), last("begins", of: run))
        if let committed {
            let found = last("has", of: checked)
            #expect(found == committed || found == begun, "\(committed) was committed, found \(found ?? -1)")
        }
        // Settled entries are not pending again.
        if let delivered = last("delivered", of: run), let waits = last("waits", of: checked) {
            #expect(waits > delivered)
        }
        let value = try folder.count("SELECT CAST(CAST(bytes AS TEXT) AS INTEGER) FROM value", in: "data.sqlite")
        if let set = last("set", of: run) { #expect(value == set || value == committed) }
        // The next process to open the file finishes a committed removal. Every fourth batch adds a
        // guest again.
        let sincePurge = run.lines.lastIndex(of: "purges").map { run.lines[$0...] } ?? []
        let hasGuestAgain = sincePurge.contains { line in
            line.hasPrefix("set ") && Int(line.dropFirst(4)).map { $0 % 4 == 0 } ?? true
        }
        if sincePurge.contains("at removed"), !hasGuestAgain {
            let bytes = try folder.contents("data.sqlite") + folder.contentsIfAny("data.sqlite-wal")
            #expect(bytes.range(of: Data("the guest's bytes".utf8)) == nil)
            #expect(bytes.range(of: Data("a guest who is removed".utf8)) == nil)
        }
        let name = "data.sqlite"
        #expect(
            try folder.count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'", in: name) == 0
        )
        let orphans = "SELECT count(*) FROM field WHERE entity NOT IN (SELECT id FROM entity)"
        #expect(try folder.count(orphans, in: name) == 0)
        let missing = """
            SELECT count(*) FROM entity e JOIN name n ON n.scope = e.scope \
            WHERE NOT EXISTS (SELECT 1 FROM field f WHERE f.entity = e.id AND f.name = n.id)
            """
        #expect(try folder.count(missing, in: name) == 0)
        #expect(try !folder.names.contains { $0.contains("corrupt") })
        let inside = [
            "at inTransaction", "at rowWritten", "at fieldsWritten", "at entryWritten", "at settled", "at leased",
            "at beforeCommit",
        ]
        let place = run.lines.last { $0.hasPrefix("at ") || $0.hasPrefix("committed") || $0.hasPrefix("set") } ?? ""
        return inside.contains(place) ? 1 : 0
    }

    private func last(_ word: String, of run: KillHarness.Run) -> Int? {
        run.lines.last { $0.hasPrefix(word + " ") }.flatMap { Int($0.dropFirst(word.count + 1)) }
    }
}
#endif
