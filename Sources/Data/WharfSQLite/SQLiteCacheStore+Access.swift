#if SQLite
internal import GRDB
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

extension SQLiteCacheStore {
    /// Runs `body` as one immediate transaction, after writing the use marks of hits.
    func write<Result: Sendable>(
        _ what: String, _ body: @Sendable (CacheTables) throws -> Result
    ) async throws(StoreError) -> Result {
        try usage.enter()
        defer { usage.leave() }
        let hold = try await gate.enter()
        defer { gate.leave() }
        let marks = state.withLock { $0.marks.take() }
        do {
            return try await pool.writeWithoutTransaction { [probe] db in
                try hold.run(db) {
                    let tables = CacheTables(db: db)
                    var result: Result?
                    try db.inTransaction(.immediate) {
                        probe.reached?(.inTransaction)
                        try tables.use(marks)
                        result = try body(tables)
                        probe.reached?(.beforeCommit)
                        return .commit
                    }
                    probe.reached?(.afterCommit)
                    guard let result else {
                        throw StoreError(.failed, message: "a transaction ended without its result")
                    }
                    return result
                }
            }
        } catch {
            state.withLock { $0.marks.putBack(marks) }
            throw failure(error, doing: what)
        }
    }

    /// Erases the bytes of a removed account, if they may still be there.
    func finishWipe() async throws(StoreError) {
        try usage.enter()
        defer { usage.leave() }
        let hold = try await gate.enter()
        defer { gate.leave() }
        do {
            try await pool.writeWithoutTransaction { [file] db in
                let wipe = Wipe(db: db)
                // While the wipe is recorded as unfinished, so that a kill in between leaves none
                // of these files.
                if try wipe.isUnderWay { try file.removeSetAside() }
                try hold.run(db) { try wipe.finish("entries", in: file.path) }
            }
        } catch {
            throw failure(error, doing: "erase removed entries")
        }
    }

    /// Writes the use marks of hits, even if the caller is cancelled.
    func writeMarks() async {
        let marks = state.withLock { $0.marks.take() }
        if !marks.isEmpty { await quietly("mark entries as used") { try $0.use(marks) } }
    }

    /// Writes the use marks of hits without waiting.
    func writeMarksLater() {
        do throws(StoreError) {
            try usage.enter()
        } catch {
            // Closing writes them.
            return
        }
        // Detached, because it must not be cancelled with its caller.
        Task.detached { [self] in
            await writeMarks()
            usage.leave()
        }
    }

    /// Removes damaged entries.
    ///
    /// A failure is reported, and the next lookup that finds the entry tries again.
    func drop(_ damaged: [Damage], under key: CacheKey) async {
        for damage in damaged {
            let name = "\(key.method) \(RedactedURL.text(key.target))"
            report(Incident(.entryDropped, message: "entry \(damage.id), \(name), was dropped: \(damage.what)"))
        }
        await quietly("remove a damaged entry") { tables in for damage in damaged { try tables.remove(damage.id) } }
    }

    /// Runs a write that must not fail its caller. Its error becomes an incident.
    private func quietly(_ what: String, _ body: @escaping @Sendable (CacheTables) throws -> Void) async {
        do {
            let hold = try await gate.enter()
            defer { gate.leave() }
            let outcome: Swift.Result<Void, any Error> = await callbackValue { reply in
                pool.asyncWriteWithoutTransaction { db in
                    let outcome = Swift.Result {
                        try hold.run(db) {
                            try db.inTransaction(.immediate) {
                                try body(CacheTables(db: db))
                                return .commit
                            }
                        }
                    }
                    reply(outcome)
                }
            }
            try outcome.get()
        } catch {
            let failure = failure(error, doing: what)
            report(Incident(.storeFailed, message: failure.message, cause: failure))
        }
    }

    /// Converts an error. Corruption leaves a mark, so that the next opening replaces the file.
    func failure(_ error: any Error, doing what: String) -> StoreError {
        let failure = StoreError.from(error, doing: what, path: file.path)
        guard failure.code == .corrupt else { return failure }
        let isFirst = state.withLock { state in
            defer { state.reportedCorruption = true }
            return !state.reportedCorruption
        }
        guard isFirst else { return failure }
        report(
            Incident(
                .storeFailed, message: failure.message + "; the cache is recreated when it is opened next",
                cause: failure
            )
        )
        // Another process may have set the file aside already. Then the mark must not condemn the
        // new file.
        guard Disk.identity(file.path) == identity else { return failure }
        do throws(StoreError) {
            try Disk.touch(file.marker)
        } catch {
            report(Incident(.storeFailed, message: error.message, cause: error))
        }
        return failure
    }
}
#endif
