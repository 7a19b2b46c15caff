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

    // `running` is set only between the first and the last line of `run`. The interrupt happens
    // under the lock, so the connection can't be closed during it.
    private let state = Mutex(State())

    var isExpired: Bool { state.withLock { $0.isExpired } }

    /// Throws if the time has run out. An expiry interrupts a statement, and nothing between two.
    func check() throws(StoreError) {
        if isExpired { throw Self.expired(nil) }
    }

    /// Interrupts the running write, and rejects later ones.
    func expire() {
        state.withLock { state in
            state.isExpired = true
            // Without a running statement this has no effect. `WriteGate.check` covers the time
            // between two statements.
            if let running = state.running { sqlite3_interrupt(running) }
        }
    }

    /// Runs `body` on the writing connection, on its thread.
    func run<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
        // One lock for both: an expiry either prevents the run or finds its connection.
        let mayRun = state.withLock { state in
            if !state.isExpired { state.running = db.sqliteConnection }
            return !state.isExpired
        }
        guard mayRun else { throw Self.expired(nil) }
        // The next user of the connection must not be interrupted by this assertion.
        defer { state.withLock { $0.running = nil } }
        do {
            return try body()
        } catch {
            throw cause(of: error)
        }
    }

    /// Returns the error of the expiry if that has caused an error, and otherwise the same error.
    func cause(of error: any Error) -> any Error {
        // The interrupt of a write rolls the whole transaction back, and a busy one has not begun,
        // so nothing was changed.
        guard isExpired, let error = error as? DatabaseError,
            [.SQLITE_INTERRUPT, .SQLITE_BUSY].contains(error.resultCode)
        else { return error }
        return Self.expired(error)
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
