#if SQLite
internal import GRDB
internal import Synchronization
internal import WharfCore

/// The effects of a commit that readers have to learn.
struct CommitEffects: Sendable {
    /// The changes in the order of their versions.
    var versions: [VersionTables.AccountChanges] = []
    /// Whether something in the journal may have become due.
    var notifiesJournal = false
    /// Whether there are new entries, whose ids already advance the journal's tick.
    var hasEnqueued = false

    mutating func add(_ effects: CommitEffects) {
        versions += effects.versions
        notifiesJournal = notifiesJournal || effects.notifiesJournal
        hasEnqueued = hasEnqueued || effects.hasEnqueued
    }
}

/// Group commit: a queue of commits that share transactions.
///
/// Commits that arrive while another is running share the next transaction, and so one sync of the
/// disk. Each has its own savepoint.
final class CommitQueue: Sendable {
    struct Job: Sendable {
        /// The assertion of the write. All jobs that wait at the same time share one.
        let hold: WriteAssertion
        /// The commit. It may run twice, after a rollback of the first run.
        ///
        /// - Returns: its effects, and a function to call when the commit is on the disk.
        let body: @Sendable (Database) throws -> (CommitEffects, committed: @Sendable () -> Void)
        let failed: @Sendable (any Error) -> Void
    }

    // A job is in this list or runs, never both. Each job ends once, by `failed` or by its function
    // `committed`.
    private let waiting = Mutex<[Job]>([])

    /// The number of waiting jobs.
    var count: Int { waiting.withLock { $0.count } }

    func add(_ job: Job) { waiting.withLock { $0.append(job) } }

    /// Runs all waiting jobs, on the writing connection.
    ///
    /// A later call may find the queue empty, as an earlier one ran its job.
    ///
    /// - Parameter transact: runs jobs in one transaction.
    func run(_ db: Database, _ transact: ([Job]) throws -> Void) {
        // The list is emptied before the transaction. Commits that arrive meanwhile go into the
        // next one.
        let jobs = waiting.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        guard let first = jobs.first else { return }
        do {
            // The first job's assertion is that of all: none of them has left the gate, so it was
            // not replaced.
            try first.hold.run(db) { try transact(jobs) }
        } catch  where jobs.count == 1 {
            // A second try would fail in the same way.
            first.failed(error)
        } catch {
            // The error of one job, such as a full disk, need not fail the others.
            for job in jobs {
                do {
                    // The failed transaction was rolled back, so each job runs again from the
                    // start.
                    try job.hold.run(db) { try transact([job]) }
                } catch {
                    job.failed(error)
                }
            }
        }
    }
}

extension Database {
    /// Runs the jobs inside a transaction, each as if it were alone.
    ///
    /// - Returns: the effects of the successful jobs, and functions to call when the transaction is
    ///   on the disk. These report each job's result.
    /// - Throws: an error that fails all of them.
    func runEach(_ jobs: [CommitQueue.Job]) throws -> (CommitEffects, ends: [@Sendable () -> Void]) {
        if jobs.count == 1 {
            let (effects, committed) = try jobs[0].body(self)
            return (effects, [committed])
        }
        var all = CommitEffects()
        var ends: [@Sendable () -> Void] = []
        for job in jobs {
            // An expiry between two statements interrupts nothing, and the group may be long.
            try job.hold.check()
            // The savepoint confines a refused job. Without it one error would undo the commits of
            // other callers.
            try run("SAVEPOINT job")
            do {
                let (effects, committed) = try job.body(self)
                try run("RELEASE job")
                all.add(effects)
                // The callers are answered only when the transaction is on the disk.
                ends.append(committed)
            } catch {
                // On some errors, such as a full disk, SQLite rolls back the whole transaction. The
                // interrupt of a read leaves it open, and no job may commit after an expiry.
                guard isInsideTransaction, !job.hold.isExpired else { throw error }
                try run("ROLLBACK TO job")
                // A rollback to a savepoint leaves it open.
                try run("RELEASE job")
                // Answered at the end too. If the transaction fails, each job runs again and must
                // be unanswered.
                ends.append { job.failed(error) }
            }
        }
        return (all, ends)
    }
}
#endif
