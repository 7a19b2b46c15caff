#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteDataFile {
    /// The access of a tool to a file that belongs to an app.
    public enum Access: Hashable, Sendable {
        /// Read-only: every write throws ``WharfCore/StoreError/Code/unavailable``.
        case reading
        /// Reading and writing.
        case writing
    }

    /// Opens an existing data file, for tools that examine the file of an app.
    ///
    /// It is neither created nor migrated. For reading no byte of the file is changed, even if its
    /// log has to be recovered after a crash. SQLite may leave an empty log and its index beside it
    /// (`-wal`, `-shm`), as for any app that is killed.
    ///
    /// - Parameter patience: how long to wait for another process that holds the file's lock.
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` if there is no file, or it has another
    ///   version, belongs to another program, or can't be used now;
    ///   ``WharfCore/StoreError/Code/corrupt`` when it is damaged. In all cases it is left as it
    ///   is.
    @concurrent
    public static func open(
        existing path: String, for access: Access, patience: Duration = .seconds(10)
    ) async throws(StoreError) -> SQLiteDataFile {
        guard Disk.exists(path) else {
            throw StoreError(
                .unavailable, message: "there is no data file at \(path), and none was made; check the path")
        }
        try Disk.checkReadableFile(path)
        switch access {
        case .reading:
            let pool = try existing(path, patience)
            let gate = WriteGate(SystemAssertion())
            let feed = ChangeFeed(seen: [:], tick: 0, interval: .seconds(1), clock: ContinuousClock())
            return SQLiteDataFile(pool: pool, path: path, probe: SQLiteDataProbe(), gate: gate, feed: feed, owners: nil)
        case .writing:
            // Checked first, because no lock file may be created beside another program's file.
            try existing(path, patience).closeNow(path)
            let lock = try await FileLock.acquire(path + ".lock", doing: "open the data file", patience: patience)
            do throws(StoreError) {
                // Checked again under the lock: an app may have migrated the file meanwhile.
                try existing(path, patience).closeNow(path)
                // `open` takes this lock itself.
                lock.release()
            } catch {
                lock.release()
                throw error
            }
            return try await open(at: path, probe: SQLiteDataProbe(longestWait: patience / .seconds(1)))
        }
    }

    /// SQLite drops the log of a file without pages, even when it only reads.
    private static func checkHasPages(_ path: String) throws(StoreError) {
        guard Disk.size(path) ?? 0 == 0 else { return }
        try checkLog(path)
        throw foreign(path)
    }

    private static func foreign(_ path: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .unavailable,
            message: "the file at \(path) is not a data file, or is damaged at its beginning; it is left as it is: "
                + "check the path", cause: cause)
    }

    private static func existing(_ path: String, _ patience: Duration) throws(StoreError) -> DatabasePool {
        do {
            try checkHasPages(path)
            return try DatabaseFile(
                path: path, schema: .data, label: "Wharf.data.read", isDurable: true,
                busy: BusyWait(longest: patience / .seconds(1)) { false }, made: { (_) throws(StoreError) in }
            ).connectForReading()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            // A file of another program is not damaged, so salvage must not be suggested for it.
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
