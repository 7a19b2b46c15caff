#if SQLite
internal import GRDB
internal import Synchronization
internal import WharfCore

/// What a commit has done that others hear of.
struct CommitNews: Sendable {
    /// In the order of their versions.
    var versions: [VersionTables.News] = []
    /// Something in the journal may have become due.
    var stirsJournal = false
    /// New entries tell by themselves that there was a commit.
    var hasEnqueued = false

    mutating func add(_ news: CommitNews) {
        versions += news.versions
        stirsJournal = stirsJournal || news.stirsJournal
        hasEnqueued = hasEnqueued || news.hasEnqueued
    }
}

/// Commits in the order in which they came. Those that come while others are under way share the
/// next transaction, and so one sync of the disk, each in a savepoint of its own.
final class CommitQueue: Sendable {
    struct Job: Sendable {
        /// All who wait at the same time have the same.
        let hold: WriteHold
        /// May run twice: what it did the first time was rolled back then.
        ///
        /// - Returns: also what to call when all that is on the disk.
        let body: @Sendable (Database) throws -> (CommitNews, committed: @Sendable () -> Void)
        let failed: @Sendable (any Error) -> Void
    }

    private let waiting = Mutex<[Job]>([])

    /// How many wait.
    var count: Int { waiting.withLock { $0.count } }

    func add(_ job: Job) { waiting.withLock { $0.append(job) } }

    /// Runs all that have come by now, on the connection that writes. Nothing is left for a call
    /// that comes too late.
    ///
    /// - Parameter transact: runs what it is given in one transaction.
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
            // What stops one of them, such as a disk that is full, need not stop the others.
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
    /// - Returns: what those did that did not fail, and what to call when that is on the disk: it
    ///   tells each how it ended.
    /// - Throws: what stops all of them.
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
                // SQLite ends the whole transaction where the disk is full, for one.
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
