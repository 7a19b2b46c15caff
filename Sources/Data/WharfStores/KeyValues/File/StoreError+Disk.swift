internal import Foundation
internal import WharfCore

extension StoreError {
    /// Converts the error of a system call to a store's error.
    ///
    /// - Parameters:
    ///   - code: `errno`, read before another call changes it.
    ///   - change: a change that was made before the failed call; nil if nothing was changed.
    static func disk(_ code: Int32, doing what: String, _ path: String, after change: String? = nil) -> StoreError {
        let isFull = code == ENOSPC || code == EDQUOT
        let state = change.map { "\($0), and a loss of power may undo that" } ?? "nothing was changed"
        return StoreError(
            isFull ? .full : .unavailable,
            message: "could not \(what) \(path): \(String(cString: strerror(code))); "
                + (isFull ? "make room on the disk" : "check the path and its permissions") + "; \(state)")
    }
}
