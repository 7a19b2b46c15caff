#if SQLite
internal import GRDB
internal import WharfCore

/// Opens a cache file: makes it, checks it, and sets it aside when it is corrupt.
struct CacheFile: Sendable {
    let path: String
    let clock: any WallClock
    let pageLimit: Int?

    /// Seconds that a read may be held up by another process that writes. Not keeping an answer costs one request more; keeping
    /// a reader waiting costs the reader.
    private static let longestWait: Double = 2

    /// Left by a process that met corruption while it ran: the next to open the file sets it aside.
    var marker: String { path + ".damaged" }

    /// - Returns: the pool, and what was set aside, to be reported.
    @concurrent
    func open() async throws(StoreError) -> (pool: DatabasePool, incidents: [Incident]) {
        try Disk.makeDirectory(of: path)
        // First creation, migration and setting aside must not race with another process.
        let lock = try await FileLock.acquire(path + ".lock")
        defer { lock.release() }
        if Task.isCancelled { throw .cancelled("open the cache") }
        var incidents: [Incident] = []
        if Disk.exists(marker) {
            if Disk.exists(path) {
                incidents.append(try replace(because: "it was found corrupt while in use", cause: nil))
            } else {
                try Disk.remove(marker)
            }
        }
        do {
            return (try connect(), incidents)
        } catch  where error.code == .corrupt {
            incidents.append(try replace(because: error.message, cause: error))
            return (try connect(), incidents)
        }
    }

    private func replace(because reason: String, cause: (any Error)?) throws(StoreError) -> Incident {
        let name = try Disk.setAside(path, at: clock.now())
        try Disk.remove(marker)
        return Incident(
            .cacheRecreated, message: "the cache \(path) was set aside as \(name) and made anew: \(reason)",
            cause: cause
        )
    }

    private func connect() throws(StoreError) -> DatabasePool {
        try Disk.makePrivateFile(path)
        do {
            try peek()
            var configuration = Configuration()
            configuration.label = "Wharf.cache"
            configuration.busyMode = .timeout(Self.longestWait)
            configuration.foreignKeysEnabled = false
            // Each hit would open its connection again after a trip to the background.
            configuration.persistentReadOnlyConnections = true
            configuration.prepareDatabase { [pageLimit] db in
                if db.configuration.readonly { return }
                // What a burst of writes made of the log is given back.
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                if let pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { try Schema.prepare($0, path: path) }
            return pool
        } catch {
            throw .from(error, doing: "open the cache", path: path)
        }
    }

    /// Asks whose file it is before a pool opens it, which already writes.
    private func peek() throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.longestWait)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try Schema.owner($0, path: path) }
            try queue.close()
        } catch let error as DatabaseError where error.isPassing || error.resultCode == .SQLITE_READONLY {
            // A log that needs recovery can't be read by one who may not write; the pool recovers it and asks again.
            return
        }
    }
}
#endif
