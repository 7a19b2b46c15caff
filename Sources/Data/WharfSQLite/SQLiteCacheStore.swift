#if SQLite
internal import GRDB
internal import Synchronization
public import WharfCore
public import WharfStorage

/// A cache of responses in a SQLite file, which several processes may share.
///
/// ```swift
/// let store = try await SQLiteCacheStore.open(at: "/home/me/.cache/app/cache.sqlite") { incident in log(incident) }
/// ```
///
/// - A commit is one transaction: after a crash or a kill at any moment, an entry is there as a
///   whole or not at all. The file is written with `synchronous=NORMAL`, so a loss of power may
///   undo the last commits, but breaks none.
/// - A body of up to 256 KiB is a blob in the file. It is verified as a whole before its first byte
///   is served.
/// - A larger body has a file of its own in the folder `NAME-bodies` beside the cache file. It is
///   written and read in pieces of 64 KiB, each with a checksum. Writer and reader hold one piece
///   in memory, and a part of a body reads its own pieces only. If a piece is damaged, the stream
///   throws before it.
/// - Checksums (XXH64) cover head, key and body. A damaged entry is removed and reported, and never
///   served again.
/// - A kill may leave a file without an entry in the folder. The next opening removes it, unless a
///   living process is writing it.
/// - A loss of power may undo a removal whose file is gone. The next lookup then drops the entry
///   and reports it as damaged.
/// - Files are readable by their user alone (0600).
public final class SQLiteCacheStore: CacheStore {
    struct State {
        var marks = RecentUses(limit: 256)
        var reportedCorruption = false
    }

    let pool: DatabasePool
    let file: CacheFile
    /// The identity of the opened file.
    ///
    /// Later the path may name another file, if this one was set aside.
    let identity: [UInt64]?
    let bodies: BodyFolder
    let byteLimit: Int64
    let entryLimit: Int64
    let onEviction: @Sendable (CacheEviction) -> Void
    let report: IncidentHandler
    let probe: SQLiteCacheProbe
    let usage = OperationGroup()
    let writers = OpenWriters<SQLiteCacheWriter>()
    let gate: WriteGate
    // `marks` has hits that no transaction has written. `reportedCorruption` is set once and never
    // reset.
    let state = Mutex(State())

    /// The most bytes of the cache and of one body, and the handler of evictions that keep them.
    struct Limits {
        let bytes: Int64
        let entry: Int64
        let onEviction: @Sendable (CacheEviction) -> Void

        init(bytes: Int64, entry: Int64?, onEviction: @escaping @Sendable (CacheEviction) -> Void = { _ in }) {
            self.bytes = bytes
            self.onEviction = onEviction
            // An entry above the limit of the whole cache would evict all others and still exceed
            // it.
            self.entry = min(entry ?? max(32 << 20, bytes / 4), bytes)
        }
    }

    init(
        pool: DatabasePool, file: CacheFile, limits: Limits, probe: SQLiteCacheProbe, gate: WriteGate,
        report: @escaping IncidentHandler
    ) {
        self.gate = gate
        self.pool = pool
        self.file = file
        // Taken at once: another process may set the file aside at any later time.
        self.identity = Disk.identity(file.path)
        self.bodies = BodyFolder(of: file, probe: probe)
        self.byteLimit = limits.bytes
        self.entryLimit = limits.entry
        self.probe = probe
        self.onEviction = limits.onEviction
        self.report = report
    }

    /// Opens a cache file, or creates it with the directories above it.
    ///
    /// A corrupt file is set aside as `NAME.corrupt-TIME`, reported as
    /// ``WharfCore/Incident/Code/cacheRecreated``, and replaced by a new one. A file of a newer
    /// version of Wharf, or of another program, is left as it is.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes of keys, heads and bodies that are kept. When a commit exceeds
    ///     it, the least recently used entries are evicted. The file itself is larger, by half for
    ///     entries of 2 KB, since SQLite fills whole pages.
    ///   - entryLimit: the largest body that is kept, in bytes. Nil is a quarter of `byteLimit`,
    ///     but at least 32 MiB: memory sets no limit, and one body must not evict most other
    ///     entries. A larger limit than `byteLimit` has no effect.
    ///   - attributes: the attributes of a new file.
    ///   - assertion: held while the file is opened and written to.
    ///   - clock: stamps the name of a file that is set aside.
    ///   - onEviction: called after an eviction, on the task of the commit or update that caused
    ///     it. After a full disk, entries with files of their own are evicted for a later
    ///     response, if the log of SQLite has room for that.
    ///   - onIncident: receives failures that the store survives: damaged entries, a replaced file,
    ///     use marks that could not be written.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` or ``WharfCore/StoreError/Code/full``
    ///   when the file can't be used now; it is left as it is.
    public static func open(
        at path: String, byteLimit: Int64 = 256 << 20, entryLimit: Int64? = nil,
        attributes: FileAttributes = FileAttributes(isBackedUp: false),
        assertion: any BackgroundAssertion = SystemAssertion(), clock: any WallClock = .system,
        onEviction: @escaping @Sendable (CacheEviction) -> Void = { _ in }, onIncident: @escaping IncidentHandler
    ) async throws(StoreError) -> SQLiteCacheStore {
        try await open(
            at: path, byteLimit: byteLimit, entryLimit: entryLimit, attributes: attributes, assertion: assertion,
            clock: clock, probe: SQLiteCacheProbe(), onEviction: onEviction, onIncident: onIncident
        )
    }

    /// Opens a cache file with hooks for tests.
    package static func open(
        at path: String, byteLimit: Int64 = 256 << 20, entryLimit: Int64? = nil,
        attributes: FileAttributes = FileAttributes(isBackedUp: false),
        assertion: any BackgroundAssertion = SystemAssertion(), clock: any WallClock = .system,
        probe: SQLiteCacheProbe, onEviction: @escaping @Sendable (CacheEviction) -> Void = { _ in },
        onIncident: @escaping IncidentHandler
    ) async throws(StoreError) -> SQLiteCacheStore {
        let gate = WriteGate(assertion)
        // Held until the store is open: an app that is suspended with a lock on a shared file is
        // killed.
        let hold = try await gate.enter()
        defer { gate.leave() }
        let file = CacheFile(path: path, clock: clock, pageLimit: probe.pageLimit) { (path) throws(StoreError) in
            try attributes.apply(to: path)
            if let failure = probe.made?(path) { throw failure }
        }
        let opened = try await file.open(under: hold, of: gate)
        for incident in opened.incidents { onIncident(incident) }
        let store = SQLiteCacheStore(
            pool: opened.pool, file: file,
            limits: Limits(bytes: byteLimit, entry: entryLimit, onEviction: onEviction), probe: probe, gate: gate,
            report: onIncident)
        await store.removeOrphans()
        do throws(StoreError) {
            try await store.finishWipe()
        } catch {
            // The next opening tries again. The cache can be used meanwhile.
            onIncident(Incident(.storeFailed, message: error.message, cause: error))
        }
        return store
    }

    /// Waits for running operations, writes the use marks, and closes the file.
    ///
    /// Later calls throw ``WharfCore/StoreError/Code/closed``; a second `close` does nothing.
    public func close() async throws(StoreError) {
        try await usage.close { () async throws(StoreError) in
            // The file is closed in any case.
            let isHeld = await gate.enterIfGranted()
            defer { if isHeld { gate.leave() } }
            // Their commits would fail. Otherwise the file of a slow reader's body would stay until
            // the reader goes on, even after a sign-out.
            writers.endAll()
            // No operation runs any more, so no mark is added after this.
            await writeMarks()
            do {
                try await pool.closeOffPool()
            } catch {
                throw .from(error, doing: "close the cache", path: file.path)
            }
        }
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        // Entered, so that closing ends this writer too.
        try usage.enter()
        defer { usage.leave() }
        if Task.isCancelled { throw .cancelled("begin an entry") }
        // Otherwise the body would be written up to the limit, and then removed.
        if let length = head.announcedLength, length > entryLimit { throw .tooLarge(length, limit: entryLimit) }
        probe.reached?(.begun)
        let writer = SQLiteCacheWriter(store: self, key: key, head: head)
        writers.add(writer, of: key.account)
        return writer
    }

    public func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        let (key, limit) = (RowKey(key), byteLimit)
        let evictions = try await write("update an entry") { tables in
            try tables.replaceHead(id, key, with: head)
            // A new head may be larger, and the total may exceed the limit.
            return try tables.evict(downTo: limit, except: id)
        }
        for eviction in evictions { onEviction(eviction) }
    }

    public func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        let key = RowKey(key)
        try await write("remove an entry") { try $0.remove(id, key) }
    }

    public func removeAll(under key: CacheKey) async throws(StoreError) {
        let key = RowKey(key)
        try await write("remove the entries of a key") { try $0.removeAll(key) }
    }

    /// Removes an account's entries, and then every byte of them.
    ///
    /// The file is rewritten. Files of bodies and files that were set aside are removed, and so are
    /// the files of bodies that this store is still writing. If one is being committed, its file
    /// goes when the commit has failed. Another store over the same file goes on writing its own.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` while another process reads. The entries
    ///   are removed then. Call it again, or open the file again, to remove their bytes.
    public func removeAll(of account: Account?) async throws(StoreError) {
        // Before the rows: a commit that comes after this one must find its writer ended.
        writers.end(of: account)
        let account = RowKey.account(account)
        // The rows go in a transaction of their own, so they are gone even if the erasure fails.
        try await write("remove the entries of an account") { try $0.removeAll(account: account) }
        // A process that was killed may have left bodies of the account without their rows.
        var failure: StoreError?
        do throws(StoreError) { try await sweep() } catch { failure = error }
        try await finishWipe()
        // The caller must not take a file that stays for a finished removal.
        if let failure { throw failure }
    }
}
#endif
