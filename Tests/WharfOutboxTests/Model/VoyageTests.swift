import Testing
import WharfChecks

/// Whatever is enqueued, answered, killed or set, in whatever order: lanes keep their order,
/// nothing acknowledged is lost, each attempt has the same key and bytes, nothing is sent by two at
/// once or by who has no lease, and nothing stops for ever.
struct VoyageTests {
    @Test func anyVoyageKeepsWhatAnOutboxPromises() async throws {
        let voyages = Generator.zip(Generator.int(in: 0...1_000_000), .array(of: Step.generator, count: 0...40))
        try await forAll(voyages, runs: 300) { seed, steps in
            let violations = try Voyage.violations(steps, seed: UInt64(seed))
            try require(violations.isEmpty, violations.prefix(3).joined(separator: "; "))
        }
    }
}
