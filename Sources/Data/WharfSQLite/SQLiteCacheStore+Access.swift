#if SQLite
internal import GRDB
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension SQLiteCacheStore {
    /// Runs `body` as one immediate transaction, after writing the use marks of hits.
    ///
    /// - Parameter committed: called after the commit, even if the call then throws.
    func write<Result: Sendable>(
        _ what: String, committed: @Sendable () -> Void = {}, _ body: @Sendable (CacheTables) throws -> Result
    ) async throws(StoreError) -> Result {
        try usage.enter()
        defer { usage.leave() }
        let hold = try await gate.enter()
        defer { gate.leave() }
        // Taken before the transaction, so that hits during it are kept for the next one.
        let marks = state.withLock { $0.marks.take() }
        do {
            return try await pool.writeWithoutTransaction { [self] db in
                try hold.run(db) {
                    try transact(db, committed) { tables in
                        probe.reached?(.inTransaction)
                        // The marks share the transaction: a hit costs no sync of its own.
                        try tables.use(marks)
                        let result = try body(tables)
                        probe.reached?(.beforeCommit)
                        return result
                    }
                }
            }
        } catch {
            // The marks may not be in the file. Writing them twice would only repeat a use.
            state.withLock { $0.marks.putBack(marks) }
            throw failure(error, doing: what)
        }
    }

    /// Runs one immediate transaction, and removes the files of removed bodies after its commit.
    private func transact<Result>(
        _ db: Database, _ committed: () -> Void = {}, _ body: (CacheTables) throws -> Result
    ) throws -> Result {
        let tables = CacheTables(db: db)
        var result: Result?
        var removed: [UInt64] = []
        try db.inTransaction(.immediate) {
            result = try body(tables)
            removed = try tables.takeRemovedFiles()
            return .commit
        }
        committed()
        probe.reached?(.afterCommit)
        for token in removed {
            do throws(StoreError) {
                // The connection's thread may block, as it takes time to remove a large file.
                try bodies.remove(token)
            } catch {
                // The entry is gone. The next opening tries to remove the file again.
                report(Incident(.storeFailed, message: error.message, cause: error))
            }
        }
        guard let result else { throw StoreError(.failed, message: "a transaction ended without its result") }
        return result
    }

    /// Evicts entries with body files, after a body could not be written because the disk is full.
    ///
    /// The response that found the disk full is not stored. The next one of its size has room. On a
    /// disk without any room the log can't grow, so the eviction fails too and is reported.
    func makeRoom(for length: Int64) async {
        do {
            for eviction in try await write("make room on the disk", { try $0.evictFiles(of: length) }) {
                onEviction(eviction)
            }
        } catch {
            report(Incident(.storeFailed, message: error.message, cause: error))
        }
    }

    /// Removes the files of bodies that no entry and no living writer owns.
    ///
    /// A process that was killed leaves these:
    /// - an unfinished file
    /// - a complete file whose row was not committed
    /// - the file of an entry that was removed
    func sweep() async throws(StoreError) {
        try usage.enter()
        defer { usage.leave() }
        do {
            // If another process has set this file aside, the folder belongs to the new file, whose
            // rows are not here.
            guard Disk.identity(file.path) == identity else { return }
            let now = file.clock.now()
            try bodies.removeParts(at: now)
            let found = try bodies.tokens(.body)
            if found.isEmpty { return }
            let known = try await tokens()
            let released = found.filter { !known.contains($0) && bodies.isReleased($0, at: now) }
            if released.isEmpty { return }
            // Read again after the locks were seen free: a writer commits before it releases.
            let committed = try await tokens()
            guard Disk.identity(file.path) == identity else { return }
            for token in released where !committed.contains(token) { try bodies.remove(token) }
        } catch {
            throw failure(error, doing: "remove body files without an entry")
        }
    }

    /// Removes body files without an owner. A failure is reported.
    func removeOrphans() async {
        do throws(StoreError) {
            try await sweep()
        } catch {
            if error.code != .cancelled { report(Incident(.storeFailed, message: error.message, cause: error)) }
        }
    }

    private func tokens() async throws -> Set<UInt64> {
        try await pool.patientRead("list body files") { try CacheTables(db: $0).tokens() }
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
        if marks.isEmpty { return }
        // Put back for the next write, as `write` does.
        let isWritten = await quietly("mark entries as used") { try $0.use(marks) }
        if !isWritten { state.withLock { $0.marks.putBack(marks) } }
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

    /// Removes entries that were found damaged during a read, unless the store is closed.
    func dropLater(_ damaged: [Damage], under key: CacheKey) async {
        do throws(StoreError) {
            try usage.enter()
        } catch {
            // The next read of the entry finds the damage again.
            return
        }
        await drop(damaged, under: key)
        usage.leave()
    }

    /// Removes damaged entries.
    ///
    /// A failure is reported, and the next lookup that finds the entry tries again.
    func drop(_ damaged: [Damage], under key: CacheKey) async {
        let damaged = await confirm(damaged)
        if damaged.isEmpty { return }
        // A tool that only reads leaves the entry to the app.
        let isLeft = pool.configuration.readonly
        for damage in damaged {
            let name = "\(key.method) \(RedactedURL.text(key.target))"
            let result = isLeft ? "is damaged" : "was dropped"
            report(Incident(.entryDropped, message: "entry \(damage.id), \(name), \(result): \(damage.what)"))
        }
        if isLeft { return }
        await quietly("remove a damaged entry") { tables in for damage in damaged { try tables.remove(damage.id) } }
    }

    /// Leaves out entries that were removed since the snapshot of the lookup, with their files.
    private func confirm(_ damaged: [Damage]) async -> [Damage] {
        let missing = damaged.filter(\.isMissing).map(\.id)
        if missing.isEmpty { return damaged }
        do {
            let left = try await pool.patientRead("look for an entry") { db in
                try missing.filter { try CacheTables(db: db).contains($0) }
            }
            return damaged.filter { !$0.isMissing || left.contains($0.id) }
        } catch {
            // The next lookup of the entry tries again. Corruption is reported and marked.
            _ = failure(error, doing: "look for an entry")
            return damaged.filter { !$0.isMissing }
        }
    }

    /// Runs a write that must not fail its caller. Its error becomes an incident.
    ///
    /// - Returns: whether it was committed.
    @discardableResult
    private func quietly(_ what: String, _ body: @escaping @Sendable (CacheTables) throws -> Void) async -> Bool {
        do {
            let hold = try await gate.enter()
            defer { gate.leave() }
            // `callbackValue` can't be cancelled, so a cancelled reader still removes damaged
            // entries.
            let outcome: Swift.Result<Void, any Error> = await callbackValue { reply in
                pool.asyncWriteWithoutTransaction { [self] db in
                    let outcome = Swift.Result { try hold.run(db) { try transact(db) { try body($0) } } }
                    reply(outcome)
                }
            }
            try outcome.get()
            return true
        } catch {
            let failure = failure(error, doing: what)
            report(Incident(.storeFailed, message: failure.message, cause: failure))
            return false
        }
    }

    /// Converts an error. Corruption leaves a mark, so that the next opening replaces the file.
    func failure(_ error: any Error, doing what: String) -> StoreError {
        let failure = StoreError.from(error, doing: what, path: file.path)
        guard failure.code == .corrupt else { return failure }
        // A tool that only reads leaves the file to the app, which finds the corruption itself.
        if pool.configuration.readonly { return failure }
        // A corrupt file fails each call. One report and one mark suffice.
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
