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

    /// - Returns: the pool, and incidents for the files that were set aside.
    @concurrent
    func open() async throws(StoreError) -> (pool: DatabasePool, incidents: [Incident]) {
        try Disk.makeDirectory(of: path, made: made)
        // Creation, migration and setting aside must not race with another process.
        let lock = try await FileLock.acquire(path + ".lock", doing: "open the cache")
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
            .cacheRecreated, message: "the cache \(path) was set aside as \(name) and recreated: \(reason)",
            cause: cause
        )
    }

    /// Removes the files that were set aside, as they may contain an account's data.
    func removeSetAside() throws(StoreError) {
        for name in try Disk.setAside(of: path) { try Disk.remove(name) }
    }

    private func connect() throws(StoreError) -> DatabasePool {
        try DatabaseFile(
            path: path, schema: .cache, label: "Wharf.cache", isDurable: false, longestWait: Self.longestWait,
            pageLimit: pageLimit, made: made
        ).connect()
    }
}
#endif
