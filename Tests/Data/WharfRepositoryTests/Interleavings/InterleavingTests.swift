import Testing
import WharfChecks
import WharfCore

/// In every interleaving values never go backwards, no task waits for ever, and cancelling one
/// reader does not affect another.
@Suite struct InterleavingTests {
    private static let casts: [Interleaving.Cast] = [
        .init(testDescription: "reads of a service"),
        .init(testDescription: "a service that fails", failures: 30),
        .init(testDescription: "some who leave", someLeave: true, failures: 10),
        .init(testDescription: "pushes", othersWrite: true),
        .init(testDescription: "a close in between", someLeave: true, isClosed: true),
        .init(testDescription: "a store", isStored: true),
        .init(testDescription: "a store, some who leave", isStored: true, someLeave: true, failures: 10),
        .init(testDescription: "a store that others write", isStored: true, othersWrite: true, failures: 10),
        .init(testDescription: "edits", isStored: true, isEdited: true, someLeave: true, failures: 10),
        .init(testDescription: "a store, a close in between", isStored: true, someLeave: true, isClosed: true),
        .init(testDescription: "deadlines", isHurried: true),
        .init(testDescription: "deadlines, some who leave", someLeave: true, isHurried: true, failures: 10),
        .init(
            testDescription: "deadlines over a store", isStored: true, someLeave: true, isHurried: true, failures: 10),
        .init(testDescription: "deadlines, a close in between", someLeave: true, isClosed: true, isHurried: true),
    ]

    /// An observer joins a request after the answer to a later request has been absorbed.
    @Test func observerThatJoinsLateRequestSeesNoOlderValue() throws {
        let cast = Interleaving.Cast(testDescription: "a close in between", someLeave: true, isClosed: true)
        #expect(try Interleaving.violations(cast, seed: 14_622) == [])
    }

    @Test(arguments: casts)
    func inEveryOrderReadsAndObserversKeepTheirRules(cast: Interleaving.Cast) throws {
        for seed in ChosenSeeds.chosen(otherwise: 1...150) {
            let violations = try Interleaving.violations(cast, seed: seed)
            guard violations.isEmpty else {
                Issue.record("seed \(seed): \(violations.joined(separator: "; "))")
                return
            }
        }
    }
}
