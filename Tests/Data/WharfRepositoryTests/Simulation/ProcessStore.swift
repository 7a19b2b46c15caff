import Synchronization
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// One process's access to the file that both processes share.
///
/// - Each call suspends first, as a disk access does.
/// - A kill takes effect before or after a call's effect. The call throws in both cases.
/// - Observers of this process are notified of its own commits before the commit returns, and with
///   them of earlier commits of the other process. They are notified of its later ones some time
///   after they were made.
final class ProcessStore: ForwardingWriteStore {
    let base: MemoryWriteStore
    private let name: String
    private let context: SimulationContext
    private let isDead = Mutex(false)
    private let feeds = EntityFeedReaders()
    /// The commits of both processes that the observers were not told of.
    private let untold: EntityFeed
    /// The version that the observers were told of.
    private let told: Mutex<StoreVersion>

    init(_ file: MemoryWriteStore, name: String, _ context: SimulationContext) {
        base = file
        self.name = name
        self.context = context
        untold = file.changes(of: nil, kind: nil, since: nil)
        told = Mutex(.none)
        Task(executorPreference: context.scheduler) { [weak self, untold] in
            while await untold.waitForMore() {
                await context.pause(0..<12)
                self?.tell()
            }
        }
    }

    private func tell() {
        untold.takePending { pending in
            told.withLock { told in
                let (element, since) = (pending.element, told)
                told = element.reached
                feeds.tell(element, of: nil, since: since)
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

    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        // Without a log, because a repository follows the commits from now on.
        feeds.subscribe(to: account, kind: kind, since: version) { _ in nil }
    }

    // MARK: Journal

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        try await living(isRead: false) { () async throws(StoreError) in
            let committed = try await base.commit(commit)
            context.note("\(name) committed \(commit.summary): \(committed.outcome.summary)")
            tell()
            return committed
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
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
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await living { () async throws(StoreError) in
            try await base.records(of: account, kind: kind, after: after, limit: limit)
        }
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try await living { () async throws(StoreError) in try await base.counts(of: account) }
    }
}

extension EntityFeed.Pending {
    /// The pending changes as an element. Each commit of the simulation has a key.
    fileprivate var element: EntityFeed.Element {
        switch self {
        case .changes(let changes): .changes(changes, reached: changes.values.map(\.version).max() ?? .none)
        case .everything(let version): .everything(reached: version ?? .none)
        }
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
            + settled.map { "settle \($0.delivery.entry.text.suffix(4)) \($0.outcome)" }
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
