import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage
import WharfStores

/// Stores with one defect each.
enum JournalMutants {
    typealias Mutant = LawMutant<JournalLaws.Subject>

    static let all =
        handingOut + dying + settling + waiting + owing + forgetting + sparing + classes + deciding + pausing + late
        + due
        + notifications + reading + committing

    /// - Parameters:
    ///   - base: makes the store to which the defect is added.
    ///   - reopened: returns the store after it is opened again. Other defects are in memory only.
    ///   - joined: called with the store when another owner comes.
    ///   - died: called with the store when its owner dies.
    ///   - spoil: adds the defect to a correct store.
    static func mutant(
        _ description: String, breaks law: String,
        base: @escaping @Sendable (any UptimeClock) -> MemoryWriteStore = {
            MemoryWriteStore(remembering: 3, uptime: $0)
        },
        reopened: @escaping @Sendable (any WriteStore) -> any WriteStore = { $0 },
        joined: @escaping @Sendable (WrongWriteStore) async throws -> Void = { _ in },
        died: @escaping @Sendable (WrongWriteStore) async throws -> Void = { try await $0.endLeases() },
        _ spoil: @escaping @Sendable (inout WrongWriteStore) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(
                description, reopen: { store, _ in reopened(store) }, remembering: 3,
                join: { store, _ in
                    if let store = store as? WrongWriteStore { try await joined(store) }
                    // Each wrapper knows the leases of its own owner.
                    return (store as? WrongWriteStore)?.ofAnotherOwner ?? store
                },
                kill: { if let store = $0 as? WrongWriteStore { try await died(store) } }
            ) { uptime in
                let clock = WrongUptime(uptime)
                var store = WrongWriteStore(base: base(clock), clock: clock)
                spoil(&store)
                return store
            })
    }
}

extension OutboxEntry {
    mutating func changeTargets(_ change: (inout Target) -> Void) {
        for index in targets.indices { change(&targets[index]) }
    }
}
