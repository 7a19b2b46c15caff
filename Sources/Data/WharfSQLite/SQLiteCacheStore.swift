#if SQLite
internal import GRDB
internal import Synchronization
public import WharfCore

/// A cache of responses in one SQLite file, which several processes may share.
///
/// ```swift
/// let store = try await SQLiteCacheStore.open(at: "/home/me/.cache/app/cache.sqlite") { incident in log(incident) }
/// ```
///
/// - A commit is one transaction: after a crash or a kill at any moment, an entry is there as a
///   whole or not at all. The file is written with `synchronous=NORMAL`, so a loss of power may
///   undo the last commits, but breaks none.
/// - A body must be verified before its first byte is served. So it is one blob, read as a whole in
///   the same transaction as its head. A writer holds it in memory until the commit. `entryLimit`
///   bounds both.
/// - Checksums (XXH64) cover head, key and body. A damaged entry is removed and reported, and never
///   served.
/// - Files are readable by their user alone (0600).
public final class SQLiteCacheStore: CacheStore {
    struct State {
        var marks = UseMarks(limit: 256)
        var reportedCorruption = false
    }

    let pool: DatabasePool
    let file: CacheFile
    /// The identity of the opened file.
    ///
    /// Later the path may name another file, if this one was set aside.
    let identity: [UInt64]?
    let byteLimit: Int64
    let entryLimit: Int64
    let report: IncidentHandler
    let probe: SQLiteCacheProbe
    let usage = Usage()
    let gate: WriteGate
    let state = Mutex(State())

    init(
        pool: DatabasePool, file: CacheFile, byteLimit: Int64, entryLimit: Int64, probe: SQLiteCacheProbe,
        gate: WriteGate, report: @escaping IncidentHandler
    ) {
        self.gate = gate
        self.pool = pool
        self.file = file
        self.identity = Disk.identity(file.path)
        self.byteLimit = byteLimit
        self.entryLimit = min(entryLimit, byteLimit)
        self.probe = probe
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
    ///   - entryLimit: the largest body that is kept, in bytes.
    ///   - attributes: the attributes of a new file.
    ///   - assertion: held while the file is opened and written to.
    ///   - clock: stamps the name of a file that is set aside.
    ///   - onIncident: receives failures that the store survives: damaged entries, a replaced file,
    ///     use marks that could not be written.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` or ``WharfCore/StoreError/Code/full``
    ///   when the file can't be used now; it is left as it is.
    public static func open(
        at path: String, byteLimit: Int64 = 256 << 20, entryLimit: Int64 = 32 << 20,
        attributes: FileAttributes = FileAttributes(isBackedUp: false),
        assertion: any BackgroundAssertion = SystemAssertion(), clock: any WallClock = .system,
        onIncident: @escaping IncidentHandler
    ) async throws(StoreError) -> SQLiteCacheStore {
        try await open(
            at: path, byteLimit: byteLimit, entryLimit: entryLimit, attributes: attributes, assertion: assertion,
            clock: clock, probe: SQLiteCacheProbe(), onIncident: onIncident
        )
    }

    /// Opens a cache file with hooks for tests.
    package static func open(
        at path: String, byteLimit: Int64 = 256 << 20, entryLimit: Int64 = 32 << 20,
        attributes: FileAttributes = FileAttributes(isBackedUp: false),
        assertion: any BackgroundAssertion = SystemAssertion(), clock: any WallClock = .system,
        probe: SQLiteCacheProbe, onIncident: @escaping IncidentHandler
    ) async throws(StoreError) -> SQLiteCacheStore {
        let gate = WriteGate(assertion)
        _ = try await gate.enter()
        defer { gate.leave() }
        let file = CacheFile(path: path, clock: clock, pageLimit: probe.pageLimit) { (path) throws(StoreError) in
            try attributes.apply(to: path)
            if let failure = probe.made?(path) { throw failure }
        }
        let opened = try await file.open()
        for incident in opened.incidents { onIncident(incident) }
        let store = SQLiteCacheStore(
            pool: opened.pool, file: file, byteLimit: byteLimit, entryLimit: entryLimit, probe: probe, gate: gate,
            report: onIncident
        )
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
            let isHeld = await gate.enterIfGranted()
            defer { if isHeld { gate.leave() } }
            await writeMarks()
            do {
                try await pool.closeOffPool()
            } catch {
                throw .from(error, doing: "close the cache", path: file.path)
            }
        }
    }

    public func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        if usage.isClosed { throw .closed }
        if Task.isCancelled { throw .cancelled("begin an entry") }
        probe.reached?(.begun)
        return SQLiteCacheWriter(store: self, key: key, head: head)
    }

    public func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        let (key, limit) = (RowKey(key), byteLimit)
        try await write("update an entry") { tables in
            try tables.replaceHead(id, key, with: head)
            try tables.evict(downTo: limit, except: id)
        }
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
    /// The file is rewritten, and files that were set aside are removed.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` while another process reads. The entries
    ///   are removed then. Call it again, or open the file again, to remove their bytes.
    public func removeAll(of account: Account?) async throws(StoreError) {
        let account = RowKey.account(account)
        try await write("remove the entries of an account") { try $0.removeAll(account: account) }
        try await finishWipe()
    }
}
#endif
