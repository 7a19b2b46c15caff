#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfPrimitives

extension SQLiteDataFile {
    /// Runs `body` on one snapshot of the file.
    ///
    /// Readers of changes are told of other processes' commits that the snapshot contains.
    func read<Result: Sendable>(
        _ what: String, _ body: @Sendable (Database) throws -> Result
    ) async throws(StoreError) -> Result {
        try usage.enter()
        defer { usage.leave() }
        // Taken before the read. A reader that subscribes later gets these commits by the read that
        // it makes after subscribing.
        let (watched, hasListeners) = (feed.watched, feed.hasListeners)
        do {
            let (result, accountChanges, tick) = try await pool.patientRead(what) { db in
                (
                    // The news come from the same snapshot as the result. A later snapshot could
                    // report a version that the result lacks.
                    try body(db), try VersionTables(db: db).accountChanges(for: watched),
                    hasListeners ? try JournalCounters(db: db).last() : nil
                )
            }
            // Published before the return: a caller that has read a version can rely on its readers
            // being told.
            feed.publish(accountChanges)
            if let tick { feed.publish(tick: tick) }
            return result
        } catch {
            throw failure(error, doing: what)
        }
    }

    /// Looks for changes by other processes, and tells readers and listeners.
    ///
    /// Listeners of the journal learn of commits, and of the death of an owner of leases. The death
    /// needs no polling of its own: a waiting engine listens to the journal's notifications, for
    /// which the file is polled anyway. Lock files are touched only while other owners hold leases.
    func look() async throws(StoreError) {
        let (hasListeners, own) = (feed.hasListeners, owners?.number)
        let others = try await read("look for changes") { db in
            hasListeners ? try JournalReader(db: db).owners(but: own) : []
        }
        // A waiting engine looks again now, and takes over the lanes of the dead owner.
        if owners?.findDeath(among: others) == true { feed.notifyJournal() }
    }

    /// Runs `body` alone on the writing connection.
    ///
    /// Once begun, it runs to its end even if the task is cancelled. So the result that a cancelled
    /// caller gets is true.
    func write<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await held(what) { hold, reply in
            pool.asyncWriteWithoutTransaction { db in
                // The run registers the connection with the assertion, so an expiry interrupts it.
                reply(Result { try hold.run(db) { try body(db) } })
            }
        }
    }

    /// Runs `body` in an immediate transaction, shared with concurrent commits.
    ///
    /// At return the readers of changes have been told.
    func commit<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Database, inout CommitEffects) throws -> Value
    ) async throws(StoreError) -> Value {
        try await held(what) { hold, reply in
            let job = CommitQueue.Job(hold: hold) { db in
                var effects = CommitEffects()
                let value = try body(db, &effects)
                return (effects, { reply(.success(value)) })
            } failed: {
                reply(.failure($0))
            }
            // The job is in the queue before the connection is asked. An earlier turn may take it
            // along, and this turn then finds no job.
            commits.add(job)
            pool.asyncWriteWithoutTransaction { [self] db in
                commits.run(db) { jobs in
                    do {
                        try transact(jobs, db)
                    } catch {
                        // The leases that it wrote are not in the file.
                        unwritten.rollback()
                        throw error
                    }
                }
            }
        }
    }

    /// Begins a job on the writing connection, and waits for its end.
    ///
    /// If the task is cancelled before, the job does not begin.
    private func held<Value: Sendable>(
        _ what: String,
        _ begin: (WriteAssertion, _ reply: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws(StoreError) -> Value {
        try usage.enter()
        defer { usage.leave() }
        // Before the gate: a cancelled caller must not ask the system for time.
        if Task.isCancelled { throw .cancelled(what) }
        let hold = try await gate.enter()
        defer { gate.leave() }
        // The system's answer may take long.
        if Task.isCancelled { throw .cancelled(what) }
        // From here on a cancellation has no effect: the commit may happen, and its true result is
        // returned.
        let outcome = await callbackValue { begin(hold, $0) }
        do {
            return try outcome.get()
        } catch {
            throw failure(error, doing: what)
        }
    }

    private func transact(_ jobs: [CommitQueue.Job], _ db: Database) throws {
        var (accountChanges, tick): ([VersionTables.AccountChanges], Int64?) = ([], nil)
        // Taken before the transaction, as in `read`.
        let watched = feed.watched
        var ends: [@Sendable () -> Void] = []
        // The write lock is taken at the start. A deferred transaction that reads first would fail
        // with SQLITE_BUSY if another process commits in between.
        try db.inTransaction(.immediate) {
            probe.reached?(.inTransaction)
            // Read before the own changes. No other process can commit now.
            accountChanges = try VersionTables(db: db).accountChanges(for: watched)
            try writeLeases(db)
            let (own, all) = try db.runEach(jobs)
            accountChanges += own.versions
            let journal = JournalCounters(db: db)
            // The ids of new entries advance the tick by themselves. Any other change needs a tick
            // of its own, or other processes would not see it.
            if own.notifiesJournal { tick = try own.hasEnqueued ? journal.last() : journal.next() }
            ends = all
            probe.reached?(.beforeCommit)
            if probe.isFull?() == true { throw DatabaseError(resultCode: .SQLITE_FULL) }
            return .commit
        }
        // Only after the commit: a rollback leaves the leases unwritten.
        unwritten.commit()
        probe.reached?(.afterCommit)
        // The commit is on the disk before readers are told. A reader that is told looks at once
        // and must find it.
        feed.publish(accountChanges)
        if let tick { feed.publish(tick: tick) }
        // Readers are told before the caller returns.
        for end in ends { end() }
    }

    /// Writes the leases that the disk had no room for.
    ///
    /// It comes before anything else in a transaction, so that settlements and rewrites find these
    /// leases in the journal.
    private func writeLeases(_ db: Database) throws {
        let held = unwritten.held
        if held.isEmpty { return }
        var journal = JournalWriter(db) { _ in }
        unwritten.wrote(try journal.write(held, for: owners))
    }

    func failure(_ error: any Error, doing what: String) -> StoreError {
        Self.failure(error, doing: what, path: path)
    }

    static func failure(_ error: any Error, doing what: String, path: String) -> StoreError {
        let failure = StoreError.from(error, doing: what, path: path)
        guard failure.code == .corrupt else { return failure }
        return StoreError(
            .corrupt,
            message: failure.message
                + "; the file was left as it is: restore a copy of it, or salvage its readable rows with "
                + "SQLiteDataFile.salvage(from:to:)",
            cause: failure.cause ?? failure
        )
    }
}
#endif
