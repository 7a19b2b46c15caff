import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let dying: [Mutant] = [
        mutant(
            "keeps the leases of the dead", breaks: "a lane whose owner is dead is free at once", died: { _ in }
        ) { _ in },
        mutant(
            "frees the lanes of the living, too",
            breaks: "an owner that lives keeps its lane until the time has run out",
            joined: { try await $0.endLeases() }
        ) { _ in },
        mutant(
            "gives back what the dead had",
            breaks: "an entry that a dead owner had leased is not rewritten under its key",
            died: { store in
                var commit = Commit()
                commit.released = store.seen.all
                try await store.base.commit(commit)
            }
        ) { _ in },
    ]
}
