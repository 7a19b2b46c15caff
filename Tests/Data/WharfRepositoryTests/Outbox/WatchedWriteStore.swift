import Synchronization
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// A store whose journal counts the reads of it, and whose reads can be made to fail.
final class WatchedWriteStore: ForwardingWriteStore {
    struct Reads: Sendable {
        var single = 0
        var rows = 0
        /// The number of reads of the journal's counts.
        var counts = 0
        var all: Int { single + rows }
    }

    private struct State {
        var reads = Reads()
        var failures = 0
        var failed = 0
    }

    let base = MemoryWriteStore()
    private let sendsNotifications: Bool
    private let state = Mutex(State())
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// - Parameter sendsNotifications: false if other processes are not notified of commits.
    init(sendsNotifications: Bool = true) { self.sendsNotifications = sendsNotifications }

    var reads: Reads { state.withLock { $0.reads } }
    var failed: Int { state.withLock { $0.failed } }

    /// Makes the given number of the next reads of single entries and counts fail.
    func failLooks(_ count: Int) { state.withLock { $0.failures = count } }

    /// Runs `body` once, directly before the next commit to this journal.
    func beforeNextCommit(_ body: @escaping @Sendable () async throws -> Void) { meanwhile.withLock { $0 = body } }

    private func look(_ count: (inout Reads) -> Void) throws(StoreError) {
        let fails = state.withLock { state in
            count(&state.reads)
            guard state.failures > 0 else { return false }
            state.failures -= 1
            state.failed += 1
            return true
        }
        if fails { throw StoreError(.unavailable, message: "scripted: the journal can't be read now") }
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try look { $0.single += 1 }
        return try await base.record(of: entry)
    }

    func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        let records = try await base.records(of: account, kind: kind, after: after, limit: limit)
        state.withLock { $0.reads.rows += records.count }
        return records
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try look { $0.counts += 1 }
        return try await base.counts(of: account)
    }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        let body = meanwhile.withLock { meanwhile in
            defer { meanwhile = nil }
            return meanwhile
        }
        do { try await body?() } catch { throw StoreError(.unavailable, message: "meanwhile: \(error)") }
        return try await base.commit(commit)
    }
    func notifications() -> AsyncStream<Void> { sendsNotifications ? base.notifications() : AsyncStream { _ in } }
}
