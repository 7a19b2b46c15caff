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
    /// How long to wait for another process's write, in seconds.
    let longestWait: Double
    /// The size in pages at which the file is full, for tests.
    var pageLimit: Int?
    /// Called with the file when it is created.
    let made: @Sendable (String) throws(StoreError) -> Void

    func connect() throws(StoreError) -> DatabasePool {
        try Disk.makePrivateFile(path, made: made)
        do {
            try peek()
            var configuration = Configuration()
            configuration.label = label
            configuration.busyMode = .timeout(longestWait)
            configuration.foreignKeysEnabled = false
            // Otherwise each read would open its connection again after a trip to the background.
            configuration.persistentReadOnlyConnections = true
            configuration.prepareDatabase { [pageLimit] db in
                if db.configuration.readonly { return }
                // Truncates the log after a burst of writes.
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                if let pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // After the preparation, in which the pool sets NORMAL.
                if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
                try schema.prepare(db, path: path)
            }
            return pool
        } catch {
            throw .from(error, doing: "open \(schema.noun)", path: path)
        }
    }

    /// Opens an existing file of this version read-only.
    func connectForReading() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = .timeout(longestWait)
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.read { try schema.verify($0, path: path) }
        return pool
    }

    /// Checks the owner before a pool opens the file, which already writes.
    private func peek() throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(longestWait)
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
                attempts += 1
                do {
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
