import WharfChecks
import WharfCore
import WharfStores

extension JournalMutants {
    static let sparing: [Mutant] = [
        mutant(
            "remembers all classes", breaks: "only durable entries that are discarded take a place in the memory"
        ) { $0.enqueues { $0.deliveryClass = .durable } },
        mutant(
            "has a place for half of them",
            breaks: "an entry takes one place in the memory, however many of its deliveries are discarded",
            base: { MemoryWriteStore(remembering: 1, uptime: $0) }
        ) { _ in },
        mutant(
            "takes all for one account's", breaks: "forgotten entries of one account do not affect another account"
        ) { $0.enqueues { $0.account = nil } },
    ]
}
