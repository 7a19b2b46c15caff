#if SQLite
internal import GRDB
internal import WharfCore

/// Opens a cache file: creates it, checks it, and replaces it if it is corrupt.
struct CacheFile: Sendable {
    let path: String
    let clock: any WallClock
    let pageLimit: Int?
    /// Called with a new file, and with its new folder.
    let made: @Sendable (String) throws(StoreError) -> Void

    /// How long an operation waits for another process's write, in seconds.
    ///
    /// A response that is not kept costs one request more; a delayed reader is worse.
    private static let longestWait: Double = 2

    /// A mark left by a process that met corruption at run time.
    ///
    /// The next opening of the file sets it aside.
    var marker: String { path + ".damaged" }

    /// - Parameters:
    ///   - hold: ends the wait for the lock, and the migration, when it expires.
    ///   - gate: ends later waits for other processes when its time runs out.
    /// - Returns: the pool, and incidents for the files that were set aside.
    @concurrent
    func open(
        under hold: WriteAssertion, of gate: WriteGate
    ) async throws(StoreError) -> (pool: DatabasePool, incidents: [Incident]) {
        try Disk.makeDirectory(of: path, made: made)
        // Creation, migration and setting aside must not race with another process.
        let lock = try await FileLock.acquire(path + ".lock", doing: "open the cache", under: hold)
        defer { lock.release() }
        if Task.isCancelled { throw .cancelled("open the cache") }
        var incidents: [Incident] = []
        // The mark is looked at under the lock, so one process replaces the file.
        if Disk.exists(marker) {
            if Disk.exists(path) {
                incidents.append(try replace(because: "it was found corrupt while in use", cause: nil))
            } else {
                // The file is gone, so the mark must not condemn the next one.
                try Disk.remove(marker)
            }
        }
        do {
            return (try connect(hold, gate), incidents)
        } catch  where error.code == .corrupt {
            // Only corruption: a file that is busy or full keeps its content.
            incidents.append(try replace(because: error.message, cause: error))
            return (try connect(hold, gate), incidents)
        }
    }

    private func replace(because reason: String, cause: (any Error)?) throws(StoreError) -> Incident {
        // The file goes before the mark. A process killed between finds the mark without a file,
        // and removes it.
        let name = try Disk.setAside(path, at: clock.now())
        try Disk.remove(marker)
        return Incident(
            .cacheRecreated, message: "the cache \(path) was set aside as \(name) and recreated: \(reason)",
            cause: cause
        )
    }

    /// Removes the files that were set aside, as they may contain an account's data.
    func removeSetAside() throws(StoreError) {
        for name in try Disk.setAside(of: path) { try Disk.remove(name) }
    }

    private func connect(_ hold: WriteAssertion, _ gate: WriteGate) throws(StoreError) -> DatabasePool {
        try DatabaseFile(
            path: path, schema: .cache, label: "Wharf.cache", isDurable: false,
            busy: BusyWait(longest: Self.longestWait) { gate.isExpired }, pageLimit: pageLimit, made: made
        ).connect(under: hold)
    }
}
#endif
