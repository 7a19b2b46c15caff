import Wharf
import WharfSQLite
import WharfStorage

/// The open journal of a data file during a subcommand.
struct OpenOutbox: Sendable {
    /// The path as given, for messages.
    let path: String
    let store: SQLiteWriteStore
    let surroundings: Surroundings

    private static let page = 200

    /// Returns the accounts: first none, then by name.
    func accounts(_ filter: DeliveryFilter) async throws(StoreError) -> [Account?] {
        try await store.accounts().filter { filter.takes($0) }.sorted { a, b in
            guard let a, let b else { return a == nil && b != nil }
            return a.name < b.name
        }
    }

    /// Returns the destinations of the accounts, by account and name.
    func destinations(_ filter: DeliveryFilter) async throws(StoreError) -> [PausedDestination] {
        var found: [PausedDestination] = []
        for account in try await accounts(filter) {
            let names = try await store.destinations(of: account).sorted()
            found += names.filter { filter.takes(destination: $0) }.map { PausedDestination($0, of: account) }
        }
        return found
    }

    /// Returns the pauses, by account and name.
    func pauses(_ filter: DeliveryFilter) async throws(StoreError) -> [ShownPause] {
        var found: [ShownPause] = []
        for account in try await accounts(filter) {
            let pauses = try await store.counts(of: account).paused.filter { filter.takes(destination: $0.key) }
            for (name, pause) in pauses.sorted(by: { $0.key < $1.key }) {
                found.append(ShownPause(place: PausedDestination(name, of: account), pause: pause))
            }
        }
        return found
    }

    /// Reads entries page by page, in the order of their commits.
    ///
    /// - Parameters:
    ///   - after: the position after which to begin; nil for all.
    ///   - body: returns false to stop.
    func records(
        of account: Account?, kind: String? = nil, after: Int64? = nil,
        _ body: ([OutboxRecord]) async throws -> Bool
    ) async throws {
        var last = after
        while true {
            let page = try await store.records(of: account, kind: kind, after: last, limit: Self.page)
            guard !page.isEmpty, try await body(page) else { return }
            last = page.last?.position
        }
    }

    func deliveries(of record: OutboxRecord, paused: Set<String> = []) async throws(StoreError) -> [ShownDelivery] {
        // An entry that needs the app anyway needs no lookup.
        let hasDependents =
            record.entry.isSelfContained ? try await !store.dependents(of: record.entry.id).isEmpty : false
        return ShownDelivery.all(of: record, paused: paused, hasDependents: hasDependents)
    }

    /// Reads the dead letters, the oldest first.
    ///
    /// - Parameter body: returns false to stop.
    func deadLetters(of account: Account?, _ body: (DeadLetter) -> Bool) async throws(StoreError) {
        var last: DeliveryID?
        while true {
            let page = try await store.deadLetters(of: account, after: last, limit: Self.page)
            for letter in page where !body(letter) { return }
            guard let end = page.last?.id else { return }
            last = end
        }
    }

    func write(_ bytes: [UInt8]) throws { try surroundings.writeOutput(bytes) }

    func write(line: String) throws { try write(Array((line + "\n").utf8)) }

    func say(_ line: String) { surroundings.writeError(Plain.shown(line) + "\n") }
}
