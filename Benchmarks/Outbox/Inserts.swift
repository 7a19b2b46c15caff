internal import Comparisons
internal import Fixtures
internal import GRDB
internal import Synchronization
internal import WharfCore
internal import WharfOutbox
internal import WharfSQLite
internal import WharfStorage

/// Inserts entries into an outbox that does not deliver, and as many bytes into a bare table.
///
/// Both use synchronous=FULL.
final class Inserts: Sendable {
    private struct Opened {
        let file: SQLiteDataFile
        let outbox: OutboxEngine
        let pool: DatabasePool
    }

    private let state = Mutex<Opened?>(nil)
    private let bytes = String(repeating: "7", count: 200)

    private var opened: Opened {
        get throws {
            guard let opened = state.withLock({ $0 }) else {
                throw WrongAnswer(expected: "files that were opened before", found: "none")
            }
            return opened
        }
    }

    /// Opens the files; throws if one of them does not sync to disk.
    func open() async throws {
        let journals = try Journals.fromEnvironment()
        let file = try await journals.open("outbox-enqueue")
        let pool = try DatabasePool(path: journals.path("outbox-bare"))
        let synchronous = try await pool.writeWithoutTransaction { db in
            // The pool has set NORMAL before.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, bytes TEXT NOT NULL)")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else { throw WrongAnswer(expected: "synchronous=2", found: "\(synchronous ?? -1)") }
        let outbox = OutboxEngine(store: SQLiteWriteStore(file))
        state.withLock { $0 = Opened(file: file, outbox: outbox, pool: pool) }
    }

    func close() async throws {
        let opened = try opened
        await opened.outbox.close()
        try await opened.file.close()
        try opened.pool.close()
    }

    /// Inserts as in GRDB's documentation, with a statement that is prepared once.
    func bare() async throws {
        let bytes = bytes
        try await opened.pool.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try db.cachedStatement(sql: "INSERT INTO entry (bytes) VALUES (?)").execute(arguments: [bytes])
                return .commit
            }
        }
    }

    func enqueue() async throws {
        let outbox = try opened.outbox
        try await outbox.enqueue(Pending.entry(outbox.newID(), lane: Int.random(in: 0..<50)))
    }

    func enqueue(_ timing: Timing, by tasks: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask { for _ in 0..<timing.operations / tasks { try await self.enqueue() } }
            }
            try await group.waitForAll()
        }
    }
}
