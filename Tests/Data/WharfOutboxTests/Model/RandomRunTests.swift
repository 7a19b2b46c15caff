import Testing
import WharfChecks

/// In every sequence of entries, answers, kills and clock changes, an outbox keeps its promises:
///
/// - Lanes keep their order.
/// - No acknowledged entry is lost.
/// - Each attempt of an entry has the same key and bytes.
/// - No entry is sent by two engines at the same time, or without a lease.
/// - Delivery never stops for ever.
struct RandomRunTests {
    @Test func anyRandomRunKeepsTheOutboxGuarantees() async throws {
        let randomRuns = Generator.zip(Generator.int(in: 0...1_000_000), .array(of: Step.generator, count: 0...40))
        try await forAll(randomRuns, runs: 300) { seed, steps in
            let violations = try RandomRun.violations(steps, seed: UInt64(seed))
            try require(violations.isEmpty, violations.prefix(3).joined(separator: "; "))
        }
    }
}
