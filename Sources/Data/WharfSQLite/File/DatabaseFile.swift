#if SQLite
internal import Dispatch
internal import GRDB
internal import WharfCore
internal import WharfPrimitives

/// Opens a database file: checks its owner, creates or migrates it, and connects.
struct DatabaseFile: Sendable {
    let path: String
    let schema: Schema
    /// The name of the connections in a debugger.
    let label: String
    /// Whether a commit is on the disk when it returns (`synchronous=FULL`).
    ///
    /// Otherwise it is there at the next checkpoint (`NORMAL`).
    let isDurable: Bool
    /// The wait for another process's write.
    let busy: BusyWait
    /// The size in pages at which the file is full, for tests.
    var pageLimit: Int?
    /// Called with the file when it is created.
    let made: @Sendable (String) throws(StoreError) -> Void

    /// - Parameter hold: interrupts the creation or migration when it expires.
    func connect(under hold: WriteAssertion) throws(StoreError) -> DatabasePool {
        // Before SQLite opens it: SQLite would create it with the mode of the umask, and copy that
        // mode to the log.
        try Disk.makePrivateFile(path, made: made)
        do {
            // A pool sets WAL mode, which changes another program's file.
            try peek()
            var configuration = Configuration()
            configuration.label = label
            configuration.busyMode = busy.mode
            // The schemas have none.
            configuration.foreignKeysEnabled = false
            // Otherwise each read would open its connection again after a trip to the background.
            configuration.persistentReadOnlyConnections = true
            configuration.prepareDatabase { [pageLimit] db in
                // A reading connection can't change these settings.
                if db.configuration.readonly { return }
                // Truncates the log after a burst of writes.
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                if let pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                try hold.run(db) {
                    // After the preparation, in which the pool sets NORMAL.
                    if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
                    try schema.prepare(db, path: path) { () throws(StoreError) in try hold.check() }
                }
            }
            return pool
        } catch {
            // The pool itself writes, if the file has no log yet.
            throw .from(hold.cause(of: error), doing: "open \(schema.noun)", path: path)
        }
    }

    /// Opens an existing file of this version read-only.
    func connectForReading() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = busy.mode
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.read { try schema.verify($0, path: path) }
        return pool
    }

    /// Checks the owner before a pool opens the file, which already writes.
    private func peek() throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = busy.mode
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try schema.owner($0, path: path) }
            try queue.close()
        } catch let error as DatabaseError where error.isPassing || error.resultCode == .SQLITE_READONLY {
            // A read-only connection can't read a log that needs recovery. The pool recovers it and
            // checks again.
            return
        }
    }
}

extension DatabasePool {
    /// Reads, and retries while another process closes, recovers or recreates the log.
    ///
    /// - Parameter canRepeat: whether the body may run once more.
    func patientRead<Result: Sendable>(
        _ what: String, while canRepeat: @Sendable () -> Bool = { true },
        _ body: @Sendable (Database) throws -> Result
    ) async throws -> Result {
        var attempts = 0
        while true {
            do {
                return try await read(body)
            } catch let error as DatabaseError where error.isPassing && canRepeat() && attempts < 50 {
                // Only while the body may run again: a caller may have acted on the first run.
                attempts += 1
                do {
                    // The wait grows, 1.3 seconds in all.
                    try await Task.sleep(for: .milliseconds(attempts))
                } catch {
                    throw StoreError.cancelled(what)
                }
            }
        }
    }

    /// Closes the pool on another thread.
    ///
    /// GRDB blocks a thread while it waits for its connections, which must not be one of the
    /// cooperative pool.
    func closeOffPool() async throws {
        let failure: (any Error)? = await callbackValue { reply in
            DispatchQueue.global().async { [self] in
                do {
                    try close()
                    reply(nil)
                } catch {
                    reply(error)
                }
            }
        }
        if let failure { throw failure }
    }
}
#endif
