#if KillHarness && TestServer
import Testing
import WharfFakes
import WharfKillHarness
import WharfRandom

/// Real processes over one file, synchronised by the receivers.
struct OutboxProcessTests {
    @Test func twoProcessesNeverSendTheSameAtOnce() async throws {
        try await KillScenario.run { scenario in
            async let first = scenario.process("deliver", "lanes=2", "entries=5")
            // The first entry of each lane is in flight to both destinations.
            await scenario.gate.arrivals(4)
            let second = try await scenario.process("drain")
            #expect(second.lines.contains("delivered 0"))
            scenario.gate.open()
            _ = try await first
            #expect(try await scenario.violations() == [])
        }
    }

    @Test func twoProcessesThatEnqueueAndAreKilledLoseNothing() async throws {
        var random = SeededGenerator(seed: 41)
        try await KillScenario.run(seed: 9) { scenario in
            scenario.gate.open()
            for _ in 0..<4 {
                scenario.nextRound()
                let moments = [0, 1].map { _ in
                    KillHarness.KillPoint.after(
                        lines: 50 + Int(random.next() % 400), microseconds: Int(random.next() % 1500))
                }
                async let first = scenario.process("deliver", "lanes=4", "entries=12", killing: moments[0])
                async let second = scenario.process("deliver", "lanes=4", "entries=12", killing: moments[1])
                _ = try await (first, second)
            }
            let violations = try await scenario.violations()
            #expect(violations.isEmpty, "\(violations.prefix(5).joined(separator: "\n"))")
        }
    }

    /// The clock of the leases stands still in both processes, so no lease runs out.
    @Test func theFirstRequestAfterAKillWaitsForNoLease() async throws {
        try await KillScenario.run { scenario in
            scenario.gate.open()
            let killed = try await scenario.process(
                "deliver", "lanes=1", "entries=2", "uptime=still", "halt=sending-api:1",
                killing: .at("at sending-api", times: 1))
            #expect(killed.wasKilled)
            #expect(scenario.ledger.arrivals(at: "api") == 0)
            scenario.nextRound()
            let next = try await scenario.process("drain", "uptime=still")
            #expect(!next.lines.contains("delivered 0"))
            // The last entry may be committed without an acknowledgement in the output.
            #expect(scenario.ledger.arrivals(at: "api") >= max(1, scenario.ledger.acknowledged.count))
            #expect(try await scenario.violations() == [])
        }
    }

    @Test func oneDestinationSettlesWithoutTheOther() async throws {
        try await KillScenario.run { scenario in
            scenario.gate.open()
            scenario.busy("mirror")
            let first = try await scenario.process("deliver", "lanes=2", "entries=6")
            #expect(!first.wasKilled)
            #expect(scenario.ledger.arrivals(at: "api") == 12)
            // Only entries for the mirror are left.
            #expect(try await scenario.violations() == [])
            #expect(scenario.ledger.arrivals(at: "api") == 12)
        }
    }

    @Test func onlyTheBatchInFlightIsResentAfterAKill() async throws {
        try await KillScenario.run { scenario in
            scenario.gate.open()
            scenario.busy("api", "mirror")
            _ = try await scenario.process("deliver", "lanes=1", "entries=9")
            scenario.busy("api")
            scenario.nextRound()
            // The second batch is answered, but not settled.
            let killed = try await scenario.process(
                "deliver", "ends=empty", "halt=answered-mirror:2", killing: .at("at answered-mirror", times: 2))
            #expect(killed.wasKilled)
            #expect(try await scenario.violations() == [])
            #expect(scenario.ledger.sentAgain == 4)
        }
    }
}
#endif
