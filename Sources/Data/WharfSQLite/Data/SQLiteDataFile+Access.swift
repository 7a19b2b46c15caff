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
        let (watched, hasListeners) = (feed.watched, feed.hasListeners)
        do {
            let (result, news, tick) = try await pool.patientRead(what) { db in
                (
                    try body(db), try VersionTables(db: db).news(for: watched),
                    hasListeners ? try JournalTick(db: db).last() : nil
                )
            }
            feed.publish(news)
            if let tick { feed.publish(tick: tick) }
            return result
        } catch {
            throw failure(error, doing: what)
        }
    }

    /// Looks for changes by other processes, and tells readers and listeners.
    ///
    /// Listeners of the journal learn of commits, and of the death of an owner of leases. The death
    /// needs no polling of its own: a waiting engine listens to the journal's news, for which the
    /// file is polled anyway. Lock files are touched only while other owners hold leases.
    func look() async throws(StoreError) {
        let (hasListeners, own) = (feed.hasListeners, owners?.number)
        let others = try await read("look for changes") { db in
            hasListeners ? try JournalReader(db: db).owners(but: own) : []
        }
        if owners?.findDeath(among: others) == true { feed.stirJournal() }
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
                reply(Result { try hold.run(db) { try body(db) } })
            }
        }
    }

    /// Runs `body` in an immediate transaction, shared with concurrent commits.
    ///
    /// At return the readers of changes have been told.
    func commit<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Database, inout CommitNews) throws -> Value
    ) async throws(StoreError) -> Value {
        try await held(what) { hold, reply in
            let job = CommitQueue.Job(hold: hold) { db in
                var news = CommitNews()
                let value = try body(db, &news)
                return (news, { reply(.success(value)) })
            } failed: {
                reply(.failure($0))
            }
            commits.add(job)
            pool.asyncWriteWithoutTransaction { [self] db in
                commits.run(db) { try transact($0, db) }
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
        if Task.isCancelled { throw .cancelled(what) }
        let hold = try await gate.enter()
        defer { gate.leave() }
        if Task.isCancelled { throw .cancelled(what) }
        let outcome = await callbackValue { begin(hold, $0) }
        do {
            return try outcome.get()
        } catch {
            throw failure(error, doing: what)
        }
    }

    private func transact(_ jobs: [CommitQueue.Job], _ db: Database) throws {
        var (news, tick): ([VersionTables.News], Int64?) = ([], nil)
        let watched = feed.watched
        var ends: [@Sendable () -> Void] = []
        try db.inTransaction(.immediate) {
            probe.reached?(.inTransaction)
            // Read before the own changes. No other process can commit now.
            news = try VersionTables(db: db).news(for: watched)
            try writeLeases(db)
            let (own, all) = try db.runEach(jobs)
            news += own.versions
            let journal = JournalTick(db: db)
            if own.stirsJournal { tick = try own.hasEnqueued ? journal.last() : journal.next() }
            ends = all
            probe.reached?(.beforeCommit)
            if probe.isFull?() == true { throw DatabaseError(resultCode: .SQLITE_FULL) }
            return .commit
        }
        unwritten.commit()
        probe.reached?(.afterCommit)
        feed.publish(news)
        if let tick { feed.publish(tick: tick) }
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
