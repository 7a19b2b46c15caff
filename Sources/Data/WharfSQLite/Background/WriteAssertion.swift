#if SQLite
internal import GRDB
internal import GRDBSQLite
internal import Synchronization
internal import WharfCore

/// A held assertion. Writers run within ``run(_:_:)``, and stop when its time runs out.
final class WriteAssertion: Sendable {
    private struct State: @unchecked Sendable {
        // Unchecked for the pointer: SQLite accepts an interrupt on any thread, and the pointer is
        // set only while its own thread is in `run`.
        var running: OpaquePointer?
        var isExpired = false
    }

    private let state = Mutex(State())

    var isExpired: Bool { state.withLock { $0.isExpired } }

    /// Interrupts the running write, and rejects later ones.
    func expire() {
        state.withLock { state in
            state.isExpired = true
            if let running = state.running { sqlite3_interrupt(running) }
        }
    }

    /// Runs `body` on the writing connection, on its thread.
    func run<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
        let mayRun = state.withLock { state in
            if !state.isExpired { state.running = db.sqliteConnection }
            return !state.isExpired
        }
        guard mayRun else { throw Self.expired(nil) }
        defer { state.withLock { $0.running = nil } }
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && isExpired {
            throw Self.expired(error)
        }
    }

    static func expired(_ cause: (any Error)?) -> StoreError {
        StoreError(
            .unavailable,
            message: "the time to write that the system granted ran out, and the process is about to be suspended; "
                + "nothing was changed: try again when the app runs",
            cause: cause
        )
    }
}
#endif
