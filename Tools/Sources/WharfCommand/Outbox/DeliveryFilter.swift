import Wharf

/// Selects deliveries; a nil property selects all.
struct DeliveryFilter: Sendable, Equatable {
    var destination: String?
    var kind: String?
    var account: Account?

    func takes(_ entry: OutboxEntry, to destination: String) -> Bool {
        takes(entry.account) && takes(destination: destination) && (kind.map { $0 == entry.kind.name } ?? true)
    }

    func takes(_ owner: Account?) -> Bool { account.map { $0 == owner } ?? true }

    func takes(destination name: String) -> Bool { destination.map { $0 == name } ?? true }
}
