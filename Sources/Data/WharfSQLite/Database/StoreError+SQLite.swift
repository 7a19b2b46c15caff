#if SQLite
internal import GRDB
internal import WharfCore

extension StoreError {
    /// Converts an error of GRDB or SQLite to a store's error.
    static func from(_ error: any Error, doing what: String, path: String) -> StoreError {
        // An error of the store's own code says more than a conversion.
        if let error = error as? StoreError { return error }
        if error is CancellationError { return .cancelled(what) }
        guard let error = error as? DatabaseError else {
            return StoreError(.failed, message: "could not \(what) at \(path): \(error)", cause: error)
        }
        let found =
            error.message.map { "\(error.extendedResultCode.rawValue), \($0)" }
            ?? "\(error.extendedResultCode.rawValue)"
        let message = "could not \(what) at \(path): SQLite says \(found)"
        switch error.extendedResultCode {
        // The index of the log could not grow: the disk is full.
        case .SQLITE_IOERR_SHMSIZE:
            return StoreError(.full, message: message + "; make room on the disk", cause: error)
        // The file system itself reports damage.
        case .SQLITE_IOERR_CORRUPTFS:
            return StoreError(.corrupt, message: message, cause: error)
        default: break
        }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT:
            return StoreError(.corrupt, message: message, cause: error)
        case .SQLITE_FULL:
            return StoreError(.full, message: message + "; make room on the disk", cause: error)
        // GRDB interrupts a statement when its task is cancelled. An expiry was converted before.
        case .SQLITE_INTERRUPT:
            return .cancelled(what)
        case .SQLITE_ABORT where Task.isCancelled:
            return .cancelled(what)
        // GRDB reports the use of a closed connection in this way.
        case .SQLITE_MISUSE:
            return .closed
        // Passing: the file is whole. The caller may try again.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            return StoreError(.unavailable, message: message + "; another process holds its lock", cause: error)
        // An I/O error is no damage: it may pass, and salvage must not be suggested for it.
        case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_AUTH, .SQLITE_IOERR:
            return StoreError(.unavailable, message: message + "; the file is left as it is", cause: error)
        default:
            return StoreError(.failed, message: message, cause: error)
        }
    }
}

extension DatabaseError {
    /// Whether the error is transient.
    ///
    /// Another process closes, recovers or recreates the WAL file at this moment.
    var isPassing: Bool {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_SCHEMA, .SQLITE_CANTOPEN: true
        default: false
        }
    }
}
#endif
