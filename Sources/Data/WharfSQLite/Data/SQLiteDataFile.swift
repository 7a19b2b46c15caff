#if SQLite
internal import GRDB
public import WharfCore
internal import WharfPrimitives

/// A file with an app's own data: entities, key-values, and an outbox's journal.
///
/// ```swift
/// let file = try await SQLiteDataFile.open(at: DataLocation.applicationSupport().path)     // of Wharf; any path will do
/// let notes = SQLiteEntityStore(file)
/// let settings = SQLiteKeyValueStore(file)
/// ```
///
/// - Several processes may share it.
/// - A commit is one transaction and on the disk when it returns (`synchronous=FULL`).
/// - The file is never replaced by a new one. If it is corrupt, opening throws
///   ``WharfCore/StoreError/Code/corrupt``, nothing is written to it, and
///   ``salvage(from:to:attributes:clock:)`` copies its readable content.
/// - Files are readable by their user alone (0600).
public final class SQLiteDataFile: Sendable {
    let pool: DatabasePool
    let path: String
    let probe: SQLiteDataProbe
    let usage = OperationGroup()
    let gate: WriteGate
    let feed: ChangeFeed
    let commits = CommitQueue()
    /// The owner of leases; nil for a file that is only read, where nothing is leased.
    let owners: LeaseOwners?
    let unwritten = UnwrittenLeases()

    init(
        pool: DatabasePool, path: String, probe: SQLiteDataProbe, gate: WriteGate, feed: ChangeFeed,
        owners: LeaseOwners?
    ) {
        self.pool = pool
        self.path = path
        self.probe = probe
        self.gate = gate
        self.feed = feed
        self.owners = owners
    }

    deinit { feed.finish() }

    /// Opens a data file, or creates it with the directories above it.
    ///
    /// - Parameters:
    ///   - attributes: the attributes of a new file.
    ///   - assertion: held while the file is opened and written to.
    ///   - pollInterval: how often the file is polled while changes or notifications have readers.
    ///     Each poll looks for commits of other processes, and for deaths of processes that hold
    ///     leases. It reads one row, the held leases, and the lock of each other owner.
    ///   - clock: the clock of `pollInterval`.
    /// - Throws: ``WharfCore/StoreError/Code/corrupt`` when the file is damaged,
    ///   ``WharfCore/StoreError/Code/unavailable`` when it can't be used now, belongs to a newer
    ///   version of Wharf, or is some other database. In all cases it is left as it is.
    public static func open(
        at path: String, attributes: FileAttributes = FileAttributes(),
        assertion: any BackgroundAssertion = SystemAssertion(), pollInterval: Duration = .seconds(1),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(StoreError) -> SQLiteDataFile {
        try await open(
            at: path, attributes: attributes, assertion: assertion, pollInterval: pollInterval, clock: clock,
            probe: SQLiteDataProbe())
    }

    /// Opens a data file with hooks for tests.
    @concurrent
    package static func open(
        at path: String, attributes: FileAttributes = FileAttributes(),
        assertion: any BackgroundAssertion = SystemAssertion(), pollInterval: Duration = .seconds(1),
        clock: any Clock<Duration> = ContinuousClock(), probe: SQLiteDataProbe
    ) async throws(StoreError) -> SQLiteDataFile {
        let gate = WriteGate(assertion)
        // The assertion is held before the lock file. iOS kills a process that is suspended with
        // the lock.
        let hold = try await gate.enter()
        defer { gate.leave() }
        let made = { @Sendable (path: String) throws(StoreError) in
            try attributes.apply(to: path)
            if let failure = probe.made?(path) { throw failure }
        }
        try Disk.makeDirectory(of: path, made: made)
        // Creation and migration must not race with another process.
        let lock = try await FileLock.acquire(path + ".lock", doing: "open the data file", under: hold)
        defer { lock.release() }
        if Task.isCancelled { throw .cancelled("open the data file") }
        do {
            // Before the first connection, which would drop the log.
            try checkLog(path)
            let pool = try DatabaseFile(
                path: path, schema: .data, label: "Wharf.data", isDurable: true,
                busy: BusyWait(longest: probe.longestWait) { gate.isExpired },
                pageLimit: probe.pageLimit, made: made
            ).connect(under: hold)
            // `seen` is read under the opening lock, after the migration that assigns versions.
            let (seen, tick) = try await pool.writeWithoutTransaction { db in
                (try VersionTables(db: db).all(), try JournalCounters(db: db).last())
            }
            let feed = ChangeFeed(seen: seen, tick: tick, interval: pollInterval, clock: clock)
            let file = SQLiteDataFile(
                pool: pool, path: path, probe: probe, gate: gate, feed: feed,
                owners: LeaseOwners(path, drawing: probe.ownerNumber))
            // A process may have been killed between the removal of an account and the erasure of
            // its bytes.
            try await file.finishWipe()
            return file
        } catch {
            throw Self.failure(error, doing: "open the data file", path: path)
        }
    }

    /// SQLite would drop a log without its file, although it may hold every commit.
    static func checkLog(_ path: String) throws(StoreError) {
        guard Disk.size(path) ?? 0 == 0, let log = Disk.size(path + "-wal"), log > 0 else { return }
        throw StoreError(
            .corrupt,
            message: "the data file \(path) is missing or empty, but its log \(path)-wal has \(log) bytes; restore the "
                + "data file beside its log")
    }

    /// Waits for running operations, ends all subscriptions, and closes the file.
    ///
    /// Later calls throw ``WharfCore/StoreError/Code/closed``; a second `close` does nothing.
    ///
    /// The log (`-wal`) is folded into the file, which can then be copied by itself. If another
    /// process has the file open, or the disk is full, the log may keep some commits. Then it has
    /// to be copied too.
    public func close() async throws(StoreError) {
        try await usage.close { () async throws(StoreError) in
            // Readers end first. Their polls would otherwise keep operations running.
            feed.finish()
            // The connection is closed even without the assertion: an open one would keep its
            // locks.
            let isHeld = await gate.enterIfGranted()
            defer { if isHeld { gate.leave() } }
            // Read before the connection closes. `defer` then keeps or removes the owner's lock
            // file.
            let holdsLeases = await holdsLeases()
            defer { owners?.close(holdsLeases: holdsLeases) }
            await checkpointLog()
            do {
                try await pool.closeOffPool()
            } catch {
                throw Self.failure(error, doing: "close the data file", path: path)
            }
        }
    }

    /// Folds the log into the file. If it can't, as on a full disk, the next start reads the log.
    private func checkpointLog() async {
        // A file that is only read has no owner, and must not change.
        guard owners != nil else { return }
        await callbackValue { reply in
            pool.asyncWriteWithoutTransaction { db in
                // A passive checkpoint waits for no reader of another process.
                _ = try? db.checkpoint(.passive)
                reply(())
            }
        }
    }

    private func holdsLeases() async -> Bool {
        guard let own = owners?.number else { return false }
        return await callbackValue { reply in
            pool.asyncWriteWithoutTransaction { db in
                // If the file can't be read any more, leases may be held.
                reply((try? JournalReader(db: db).hasLeases(of: own)) ?? true)
            }
        }
    }
}
#endif
