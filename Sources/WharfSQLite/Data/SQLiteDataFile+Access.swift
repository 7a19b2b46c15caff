#if SQLite
internal import GRDB
internal import WharfCore

extension SQLiteDataFile {
    /// Runs `body` on one snapshot of the file. Whoever reads changes is told of what others have committed.
    func read<Result: Sendable>(
        _ what: String, _ body: @Sendable (Database) throws -> Result
    ) async throws(StoreError) -> Result {
        try usage.enter()
        defer { usage.leave() }
        let seen = feed.seenByReaders
        do {
            let (result, news) = try await pool.patientRead(what) { db in
                (try body(db), try seen.map { try ChangeLog(db: db).entries(after: $0) } ?? [])
            }
            feed.publish(news)
            return result
        } catch {
            throw failure(error, doing: what)
        }
    }

    /// Runs `body` on the connection that writes, alone. Once it has begun it runs to its end, whether the task is cancelled or not:
    /// so what a cancelled caller hears is true.
    func write<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try usage.enter()
        defer { usage.leave() }
        if Task.isCancelled { throw .cancelled(what) }
        let hold = try await gate.enter()
        defer { gate.leave() }
        if Task.isCancelled { throw .cancelled(what) }
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { db in
                continuation.resume(returning: Result { try hold.run(db) { try body(db) } })
            }
        }
        do {
            return try outcome.get()
        } catch {
            throw failure(error, doing: what)
        }
    }

    /// One immediate transaction, which says what it has changed. Whoever reads changes has been told at return.
    func commit(
        _ what: String, _ body: @escaping @Sendable (Database) throws -> [ChangeLog.Change]
    ) async throws(StoreError) {
        try await write(what) { [probe, feed] db in
            var news: [ChangeLog.Entry] = []
            try db.inTransaction(.immediate) {
                probe.reached?(.inTransaction)
                let log = ChangeLog(db: db)
                // Before anything of its own: nobody else can commit now.
                if let seen = feed.seenByReaders { news = try log.entries(after: seen) }
                let last = try log.last()
                let changes = try body(db)
                if !changes.isEmpty {
                    let seq = try log.append(changes, after: last)
                    news += changes.map { ChangeLog.Entry(seq: seq, change: $0) }
                }
                probe.reached?(.beforeCommit)
                return .commit
            }
            probe.reached?(.afterCommit)
            feed.publish(news)
        }
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
                + "; the file was kept as it is: restore a copy of it, or take out what can still be read with SQLiteDataFile.salvage(from:to:)",
            cause: failure.cause ?? failure
        )
    }
}
#endif
