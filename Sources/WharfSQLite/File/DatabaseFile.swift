#if SQLite
internal import Dispatch
internal import GRDB
internal import WharfCore
internal import WharfPrimitives

/// How a database file is opened: asked whose it is, made or brought up to date, and handed over as
/// connections.
struct DatabaseFile: Sendable {
    let path: String
    let schema: Schema
    /// Names the connections in a debugger.
    let label: String
    /// A commit is on the disk when it returns (`synchronous=FULL`), or at the next checkpoint
    /// (`NORMAL`).
    let isDurable: Bool
    /// Seconds that somebody may be held up by another process that writes.
    let longestWait: Double
    /// Makes the file full at so many pages, for tests.
    var pageLimit: Int?
    /// Called with the file when it is made.
    let made: @Sendable (String) throws(StoreError) -> Void

    func connect() throws(StoreError) -> DatabasePool {
        try Disk.makePrivateFile(path, made: made)
        do {
            try peek()
            var configuration = Configuration()
            configuration.label = label
            configuration.busyMode = .timeout(longestWait)
            configuration.foreignKeysEnabled = false
            // Each read would open its connection again after a trip to the background.
            configuration.persistentReadOnlyConnections = true
            configuration.prepareDatabase { [pageLimit] db in
                if db.configuration.readonly { return }
                // What a burst of writes made of the log is given back.
                try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
                if let pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // Not while it is prepared: the pool sets NORMAL after that.
                if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
                try schema.prepare(db, path: path)
            }
            return pool
        } catch {
            throw .from(error, doing: "open \(schema.noun)", path: path)
        }
    }

    /// Opens a file that is there and of this version, for who only looks: nothing is written.
    func connectForReading() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = true
        configuration.busyMode = .timeout(longestWait)
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.read { try schema.verify($0, path: path) }
        return pool
    }

    /// Asks whose file it is before a pool opens it, which already writes.
    private func peek() throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(longestWait)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try schema.owner($0, path: path) }
            try queue.close()
        } catch let error as DatabaseError where error.isPassing || error.resultCode == .SQLITE_READONLY {
            // A log that needs recovery can't be read by one who may not write; the pool recovers
            // it and asks again.
            return
        }
    }
}

extension DatabasePool {
    /// Reads, and tries again while another process closes, recovers or recreates the log.
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

    /// GRDB waits for its connections with a blocked thread, which must not be one of the
    /// cooperative pool's.
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
