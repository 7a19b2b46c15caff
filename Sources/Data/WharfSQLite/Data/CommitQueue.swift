#if SQLite
internal import GRDB
internal import Synchronization
internal import WharfCore

/// The effects of a commit that readers have to learn.
struct CommitNews: Sendable {
    /// The changes in the order of their versions.
    var versions: [VersionTables.News] = []
    /// Whether something in the journal may have become due.
    var stirsJournal = false
    /// Whether there are new entries, whose ids already advance the journal's tick.
    var hasEnqueued = false

    mutating func add(_ news: CommitNews) {
        versions += news.versions
        stirsJournal = stirsJournal || news.stirsJournal
        hasEnqueued = hasEnqueued || news.hasEnqueued
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
        /// - Returns: its news, and a function to call when the commit is on the disk.
        let body: @Sendable (Database) throws -> (CommitNews, committed: @Sendable () -> Void)
        let failed: @Sendable (any Error) -> Void
    }

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
        let jobs = waiting.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        guard let first = jobs.first else { return }
        do {
            try first.hold.run(db) { try transact(jobs) }
        } catch  where jobs.count == 1 {
            first.failed(error)
        } catch {
            // The error of one job, such as a full disk, need not fail the others.
            for job in jobs {
                do {
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
    /// - Returns: the news of the successful jobs, and functions to call when the transaction is on
    ///   the disk. These report each job's result.
    /// - Throws: an error that fails all of them.
    func runEach(_ jobs: [CommitQueue.Job]) throws -> (CommitNews, ends: [@Sendable () -> Void]) {
        if jobs.count == 1 {
            let (news, committed) = try jobs[0].body(self)
            return (news, [committed])
        }
        var all = CommitNews()
        var ends: [@Sendable () -> Void] = []
        for job in jobs {
            try run("SAVEPOINT job")
            do {
                let (news, committed) = try job.body(self)
                try run("RELEASE job")
                all.add(news)
                ends.append(committed)
            } catch {
                // On some errors, such as a full disk, SQLite rolls back the whole transaction.
                guard isInsideTransaction else { throw error }
                try run("ROLLBACK TO job")
                try run("RELEASE job")
                ends.append { job.failed(error) }
            }
        }
        return (all, ends)
    }
}
#endif
