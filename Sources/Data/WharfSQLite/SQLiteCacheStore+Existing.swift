#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteCacheStore {
    /// Opens an existing cache file, for tools that examine the file of an app.
    ///
    /// It is neither created, migrated nor replaced, and it has no byte limit: the tool does not
    /// know the app's. For reading no byte of the file is changed. Every write then throws
    /// ``WharfCore/StoreError/Code/unavailable``, and damaged entries are reported and stay. SQLite
    /// may leave an empty log and its index beside the file (`-wal`, `-shm`).
    ///
    /// - Parameters:
    ///   - patience: how long reads, and the check before writing, wait for another process that
    ///     holds the file. The opening for writing waits as ``open(at:)`` does.
    ///   - onIncident: receives damaged entries.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` if there is no file, or it has another
    ///   version, belongs to another program, or can't be used now;
    ///   ``WharfCore/StoreError/Code/corrupt`` when it is damaged. In all cases it is left as it
    ///   is.
    @concurrent
    public static func open(
        existing path: String, for access: SQLiteDataFile.Access, patience: Duration = .seconds(10),
        onIncident: @escaping IncidentHandler
    ) async throws(StoreError) -> SQLiteCacheStore {
        guard Disk.exists(path) else {
            throw StoreError(.unavailable, message: "there is no cache at \(path), and none was made; check the path")
        }
        try Disk.checkReadableFile(path)
        let file = CacheFile(path: path, clock: .system, pageLimit: nil) { (_) throws(StoreError) in }
        // `open` would replace the file, which its app may still want to be examined.
        guard !Disk.exists(file.marker) else {
            throw StoreError(
                .corrupt,
                message: "the cache at \(path) was found corrupt while in use; it is left as it is: its app replaces "
                    + "it when it opens it next, or remove the file and \(file.marker)")
        }
        let pool = try existing(path, patience)
        switch access {
        case .reading:
            return SQLiteCacheStore(
                pool: pool, file: file, limits: Limits(bytes: .max, entry: .max), probe: SQLiteCacheProbe(),
                gate: WriteGate(SystemAssertion()), report: onIncident)
        case .writing:
            // Checked before: `open` creates, migrates or replaces any other file, and puts a lock
            // file beside it.
            do {
                try await pool.closeOffPool()
            } catch {
                throw .from(error, doing: "close the cache", path: path)
            }
            return try await open(at: path, byteLimit: .max, onIncident: onIncident)
        }
    }

    private static func existing(_ path: String, _ patience: Duration) throws(StoreError) -> DatabasePool {
        do {
            // SQLite drops the log of a file without pages, even when it only reads.
            guard Disk.size(path) ?? 0 > 0 else { throw foreign(path) }
            return try DatabaseFile(
                path: path, schema: .cache, label: "Wharf.cache.read", isDurable: false,
                busy: BusyWait(longest: patience / .seconds(1)) { false }, made: { (_) throws(StoreError) in }
            ).connectForReading()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw foreign(path, cause: error)
        } catch {
            throw .from(error, doing: "open the cache", path: path)
        }
    }

    private static func foreign(_ path: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .unavailable,
            message: "the file at \(path) is not a cache of Wharf, or is damaged at its beginning; it is left as it "
                + "is: check the path", cause: cause)
    }
}
#endif
