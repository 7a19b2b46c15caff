import Synchronization
import WharfCore
import WharfFakes
import WharfStores

/// One process's access to the file that both processes share.
///
/// - Each call suspends first, as a disk access does.
/// - A kill takes effect before or after a call's effect. The call throws in both cases.
/// - Observers of this process are notified of its own commits before the commit returns. They are
///   notified of the other process's commits some time later.
final class ProcessStore: ForwardingWriteStore {
    let base: MemoryWriteStore
    private let name: String
    private let context: SimulationContext
    private let isDead = Mutex(false)
    private let subscriptions = EntitySubscriptions()

    init(_ file: MemoryWriteStore, name: String, _ context: SimulationContext) {
        base = file
        self.name = name
        self.context = context
        for kind in [Sheet.kind.name, Sheet.kind.name + "/list"] {
            let changes = file.changes(of: nil, kind: kind)
            Task(executorPreference: context.scheduler) { [subscriptions] in
                while await changes.waitForMore() {
                    await context.pause(0..<12)
                    changes.takePending { changes in
                        switch changes {
                        case .keys(let versions): subscriptions.tell(versions)
                        case .all(let version): subscriptions.tellAll(of: nil, at: version ?? .none)
                        }
                    }
                }
            }
        }
    }

    var isAlive: Bool { isDead.withLock { !$0 } }

    func die() { isDead.withLock { $0 = true } }

    private func living<Value>(
        isRead: Bool = true, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        await context.pause(0..<3)
        try checkLife()
        // A database does not read for a cancelled task.
        if isRead, Task.isCancelled { throw StoreError(.cancelled, message: "simulated: the reader has left") }
        let value = try await body()
        await context.pause(0..<3)
        try checkLife()
        return value
    }

    private func checkLife() throws(StoreError) {
        guard isAlive else { throw StoreError(.closed, message: "simulated: the process is dead") }
    }

    // MARK: Entities

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try await living { () async throws(StoreError) in try await base.row(key) }
    }

    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await living { () async throws(StoreError) in try await base.states(of: keys) }
    }

    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await living { () async throws(StoreError) in try await base.states(query, of: account, kind: kind) }
    }

    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await commit(Commit(entities: changes, expecting: expected, enqueued: [])).outcome
    }

    func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    // MARK: Journal

    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        try await living(isRead: false) { () async throws(StoreError) in
            let committed = try await base.commit(commit)
            context.note("\(name) committed \(commit.summary): \(committed.outcome.summary)")
            if case .committed(let versions) = committed.outcome {
                subscriptions.tell(commit.entities.map(\.key), at: versions)
            }
            return committed
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        try await living(isRead: false) { () async throws(StoreError) in try await base.lease(request) }
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await living(isRead: false) { () async throws(StoreError) in try await base.extend(leases, for: duration) }
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try await living { () async throws(StoreError) in try await base.nextDue(request) }
    }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await living { () async throws(StoreError) in try await base.dependents(of: entry) }
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await living { () async throws(StoreError) in try await base.record(of: entry) }
    }

    func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await living { () async throws(StoreError) in
            try await base.records(of: account, kind: kind, after: after, limit: limit)
        }
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try await living { () async throws(StoreError) in try await base.counts(of: account) }
    }
}

extension Commit {
    /// A line for the trace.
    fileprivate var summary: String {
        let rows = entities.map { change in
            switch change {
            case .put(let row):
                "put \(row.key.kind) \(line(row.bytes)) \(row.validator ?? "-")"
            case .remove(let key): "remove \(key.kind) \(key.id)"
            }
        }
        let journal =
            enqueued.map {
                "enqueue \($0.id.text.suffix(4)) \(line($0.payload))"
            }
            + rewritten.map {
                "rewrite \($0.entry.text.suffix(4)) \(line($0.payload))"
            }
            + settled.map { "settle \($0.delivery.entry.text.suffix(4)) \($0.verdict)" }
        return (rows + journal).joined(separator: ", ")
    }
}

/// Bytes as text on one line.
private func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { $0 < UInt8(ascii: " ") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
}

extension CommitOutcome {
    fileprivate var summary: String {
        switch self {
        case .committed(let versions): "\(versions.values.map(\.number))"
        case .refused: "refused"
        }
    }
}
