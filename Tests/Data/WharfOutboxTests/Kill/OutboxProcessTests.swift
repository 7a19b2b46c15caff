#if SQLite && KillHarness && TestServer
import Testing
import WharfFakes
import WharfKillHarness
import WharfRandom

/// Real processes over one file, synchronised by the receivers.
struct OutboxProcessTests {
    @Test func twoProcessesNeverSendTheSameAtOnce() async throws {
        try await Harbour.run { harbour in
            async let first = harbour.process("deliver", "lanes=2", "entries=5")
            // The first entry of each lane is in flight to both destinations.
            await harbour.gate.arrivals(4)
            let second = try await harbour.process("drain")
            #expect(second.lines.contains("delivered 0"))
            harbour.gate.open()
            _ = try await first
            #expect(try await harbour.violations() == [])
        }
    }

    @Test func twoProcessesThatEnqueueAndAreKilledLoseNothing() async throws {
        var random = SeededGenerator(seed: 41)
        try await Harbour.run(seed: 9) { harbour in
            harbour.gate.open()
            for _ in 0..<4 {
                harbour.nextRound()
                let moments = [0, 1].map { _ in
                    KillHarness.Moment.after(
                        lines: 50 + Int(random.next() % 400), microseconds: Int(random.next() % 1500))
                }
                async let first = harbour.process("deliver", "lanes=4", "entries=12", killing: moments[0])
                async let second = harbour.process("deliver", "lanes=4", "entries=12", killing: moments[1])
                _ = try await (first, second)
            }
            let violations = try await harbour.violations()
            #expect(violations.isEmpty, "\(violations.prefix(5).joined(separator: "\n"))")
        }
    }

    /// The clock of the leases stands still in both processes, so no lease runs out.
    @Test func theFirstRequestAfterAKillWaitsForNoLease() async throws {
        try await Harbour.run { harbour in
            harbour.gate.open()
            let killed = try await harbour.process(
                "deliver", "lanes=1", "entries=2", "uptime=still", "halt=sending-api:1",
                killing: .at("at sending-api", times: 1))
            #expect(killed.wasKilled)
            #expect(harbour.ledger.arrivals(at: "api") == 0)
            harbour.nextRound()
            let next = try await harbour.process("drain", "uptime=still")
            #expect(!next.lines.contains("delivered 0"))
            // The last entry may be committed without an acknowledgement in the output.
            #expect(harbour.ledger.arrivals(at: "api") >= max(1, harbour.ledger.acknowledged.count))
            #expect(try await harbour.violations() == [])
        }
    }

    @Test func oneDestinationSettlesWithoutTheOther() async throws {
        try await Harbour.run { harbour in
            harbour.gate.open()
            harbour.busy("mirror")
            let first = try await harbour.process("deliver", "lanes=2", "entries=6")
            #expect(!first.wasKilled)
            #expect(harbour.ledger.arrivals(at: "api") == 12)
            // Only entries for the mirror are left.
            #expect(try await harbour.violations() == [])
            #expect(harbour.ledger.arrivals(at: "api") == 12)
        }
    }

    @Test func onlyTheBatchInFlightIsResentAfterAKill() async throws {
        try await Harbour.run { harbour in
            harbour.gate.open()
            harbour.busy("api", "mirror")
            _ = try await harbour.process("deliver", "lanes=1", "entries=9")
            harbour.busy("api")
            harbour.nextRound()
            // The second batch is answered, but not settled.
            let killed = try await harbour.process(
                "deliver", "ends=empty", "halt=answered-mirror:2", killing: .at("at answered-mirror", times: 2))
            #expect(killed.wasKilled)
            #expect(try await harbour.violations() == [])
            #expect(harbour.ledger.sentAgain == 4)
        }
    }
}
#endif
