#if KillHarness && TestServer
import Foundation
import Testing
import WharfFakes
import WharfKillHarness
import WharfRandom
import WharfSQLite

/// Kills with SIGKILL during enqueueing and delivery. The receivers honour idempotency keys and
/// fail at times. `WHARF_KILLS=N` makes a long run. The article "The outbox" lists the promises.
@Suite(.serialized) struct OutboxKillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["WHARF_KILLS"] ?? "") ?? 40
    /// The points of commits, and those between commits.
    private static let labels =
        DataPoint.allCases.filter { $0 != .removed && $0 != .rewritten }.map(\.rawValue)
        + ["sending-api", "sending-mirror", "answered-api", "answered-mirror"]

    @Test func nothingIsLostOrHappensTwiceWhenKilledAtAnyLabel() async throws {
        try await KillScenario.run(seed: 7) { scenario in
            scenario.gate.open()
            var landed = Received()
            for index in 0..<max(Self.labels.count, Self.kills / 2) {
                let (label, times) = (Self.labels[index % Self.labels.count], 1 + index * 3 % 8)
                scenario.nextRound()
                let run = try await scenario.process(
                    "deliver", "lanes=4", "entries=12", "ends=empty", "halt=\(label):\(times)",
                    killing: .at("at \(label)", times: times))
                #expect(run.wasKilled, "it never came to \(label) so often: \(times)")
                landed.count(run)
            }
            let violations = try await scenario.violations()
            #expect(violations.isEmpty, "\(violations.prefix(5).joined(separator: "\n"))")
            landed.tell("at labels", scenario.ledger)
            #expect(landed.inside > 0)
        }
    }

    @Test func nothingIsLostOrHappensTwiceWhenKilledAtRandom() async throws {
        var random = SeededGenerator(seed: 20_261_122)
        try await KillScenario.run(seed: 8) { scenario in
            scenario.gate.open()
            var landed = Received()
            for _ in 0..<max(1, Self.kills - Self.kills / 2) {
                let moment = KillHarness.KillPoint.after(
                    lines: 2 + Int(random.next() % 400), microseconds: Int(random.next() % 1500))
                scenario.nextRound()
                landed.count(try await scenario.process("deliver", "lanes=4", "entries=12", killing: moment))
            }
            let violations = try await scenario.violations()
            #expect(violations.isEmpty, "\(violations.prefix(5).joined(separator: "\n"))")
            landed.tell("at random", scenario.ledger)
        }
    }

    /// The places at which kills have landed.
    private struct Received {
        private var kills = 0
        private var inCommits = 0
        private var inDeliveries = 0

        /// The kills between two commits or two deliveries, which are not all kills.
        var inside: Int { inCommits + inDeliveries }

        mutating func count(_ run: KillHarness.Run) {
            guard run.wasKilled else { return }
            kills += 1
            let points = run.lines.compactMap { line in
                line.hasPrefix("at ") ? DataPoint(rawValue: String(line.dropFirst(3))) : nil
            }
            if let last = points.last, last != .afterCommit { inCommits += 1 }
            let answered = run.lines.count { $0.hasPrefix("at answered") }
            if run.lines.count(where: { $0.hasPrefix("at sending") }) > answered { inDeliveries += 1 }
        }

        func tell(_ how: String, _ ledger: Ledger) {
            print(
                "\(kills) kills \(how): \(inCommits) landed inside a commit, \(inDeliveries) inside a delivery; "
                    + "of \(ledger.acknowledged.count) entries \(ledger.sentAgain) were sent again")
        }
    }
}
#endif
