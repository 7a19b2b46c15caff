import Foundation
import Testing
import WharfChecks
import WharfCore

/// Two processes over one file keep the laws of the store's order in every interleaving tried.
@Suite struct TwoProcessSimulationTests {
    private static let options: [TwoProcessSimulation.Options] = [
        .init(testDescription: "edits"),
        .init(testDescription: "edits, coalesced", coalesces: true),
        .init(testDescription: "edits that are shown when they are delivered", mode: .confirmed),
        .init(testDescription: "a network that fails", faults: 20),
        .init(testDescription: "a service that remembers keys", faults: 20, remembersKeys: true),
        .init(testDescription: "readers that leave", faults: 10, mayLeave: true),
        .init(testDescription: "kills", kills: 2),
        .init(testDescription: "kills, and a network that fails", faults: 20, kills: 2, mayLeave: true),
        .init(testDescription: "kills, coalesced", faults: 20, kills: 2, coalesces: true),
        .init(testDescription: "additions", faults: 20, remembersKeys: true, adds: true),
        .init(testDescription: "additions and kills", faults: 20, kills: 2, remembersKeys: true, adds: true),
        .init(
            testDescription: "additions and kills, coalesced", faults: 20, kills: 2, coalesces: true,
            remembersKeys: true, adds: true),
        .init(testDescription: "readers alone", edits: false),
        .init(testDescription: "readers alone, a network that fails", faults: 20, mayLeave: true, edits: false),
        .init(testDescription: "readers alone, kills", faults: 20, kills: 2, edits: false),
        .init(testDescription: "conflicts that are set aside", merges: false),
        // Without remembered keys the service may refuse a retry of an edit that it has accepted,
        // because another edit has come since.
        .init(
            testDescription: "conflicts that are set aside, a network that fails", faults: 20, remembersKeys: true,
            merges: false),
        .init(
            testDescription: "conflicts that are set aside, kills", faults: 20, kills: 2, remembersKeys: true,
            merges: false),
    ]

    /// Whether sets and dictionaries have the same order in each run.
    private static let isReplayable = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil

    @Test(arguments: options)
    func lawsHoldInEveryOrder(options: TwoProcessSimulation.Options) {
        for seed in ChosenSeeds.chosen(otherwise: 1...20) {
            let violations = TwoProcessSimulation.run(options, seed: seed).violations
            guard violations.isEmpty else {
                let trace = Self.isReplayable ? TwoProcessSimulation.run(options, seed: seed, isTraced: true).trace : []
                Issue.record("seed \(seed): \((violations + trace).joined(separator: "\n"))")
                return
            }
        }
    }

    @Test(.enabled(if: isReplayable), arguments: options)
    func seedReplaysARun(options: TwoProcessSimulation.Options) {
        let trace = TwoProcessSimulation.run(options, seed: 1, isTraced: true).trace
        #expect(!trace.isEmpty && TwoProcessSimulation.run(options, seed: 1, isTraced: true).trace == trace)
    }
}
