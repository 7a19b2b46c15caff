#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteDataFile {
    /// What is to be done with a file that belongs to somebody else.
    public enum Access: Hashable, Sendable {
        /// Nothing but to look: anything that writes throws
        /// ``WharfCore/StoreError/Code/unavailable``.
        case reading
        case writing
    }

    /// Opens a data file as it is: for tools that look at the file of an app. It is not made, and
    /// not brought up to date.
    ///
    /// For reading no byte of the file is changed, also where its log has to be recovered after a
    /// crash. SQLite may leave an empty log and its index beside it (`-wal`, `-shm`), as it does
    /// for any app that is killed.
    ///
    /// - Parameter patience: how long another process that holds the file's lock is waited for.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` where there is no file, or one of
    ///   another version, of somebody else, or that can't be used now;
    ///   ``WharfCore/StoreError/Code/corrupt`` when it is damaged. In all cases it is left as it
    ///   is.
    @concurrent
    public static func open(
        existing path: String, for access: Access, patience: Duration = .seconds(10)
    ) async throws(StoreError) -> SQLiteDataFile {
        guard Disk.exists(path) else {
            throw StoreError(
                .unavailable, message: "expected a data file at \(path), found none; check the path, nothing was made")
        }
        try Disk.checkReadableFile(path)
        switch access {
        case .reading:
            let pool = try existing(path, patience)
            let gate = WriteGate(SystemAssertion())
            let feed = ChangeFeed(seen: [:], tick: 0, interval: .seconds(1), clock: ContinuousClock())
            return SQLiteDataFile(pool: pool, path: path, probe: SQLiteDataProbe(), gate: gate, feed: feed, owners: nil)
        case .writing:
            // Beside what is somebody else's no file of a lock is made.
            try existing(path, patience).closeNow(path)
            let lock = try await FileLock.acquire(path + ".lock", doing: "open the data file", patience: patience)
            do throws(StoreError) {
                try existing(path, patience).closeNow(path)
                lock.release()
            } catch {
                lock.release()
                throw error
            }
            return try await open(at: path, probe: SQLiteDataProbe(longestWait: patience / .seconds(1)))
        }
    }

    /// SQLite drops the log of a file without pages, also where it only reads.
    private static func checkHasPages(_ path: String) throws(StoreError) {
        guard Disk.size(path) ?? 0 == 0 else { return }
        try checkLog(path)
        throw foreign(path)
    }

    private static func foreign(_ path: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .unavailable,
            message: """
                expected a data file at \(path), found a file that is none, or is damaged at its beginning; it is left as \
                it is: check the path
                """, cause: cause)
    }

    private static func existing(_ path: String, _ patience: Duration) throws(StoreError) -> DatabasePool {
        do {
            try checkHasPages(path)
            return try DatabaseFile(
                path: path, schema: .data, label: "Wharf.data.read", isDurable: true,
                longestWait: patience / .seconds(1), made: { (_) throws(StoreError) in }
            ).connectForReading()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw foreign(path, cause: error)
        } catch {
            throw failure(error, doing: "open the data file", path: path)
        }
    }
}

extension DatabasePool {
    fileprivate func closeNow(_ path: String) throws(StoreError) {
        do {
            try close()
        } catch {
            throw .from(error, doing: "close the data file", path: path)
        }
    }
}
#endif
