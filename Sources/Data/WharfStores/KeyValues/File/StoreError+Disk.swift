internal import Foundation
internal import WharfCore

extension StoreError {
    /// Converts the error of a system call to a store's error.
    ///
    /// - Parameter code: `errno`, read before another call changes it.
    static func disk(_ code: Int32, doing what: String, _ path: String) -> StoreError {
        let isFull = code == ENOSPC || code == EDQUOT
        let advice = isFull ? "make room on the disk" : "check the path and its permissions; nothing was changed"
        return StoreError(
            isFull ? .full : .unavailable,
            message: "could not \(what) \(path): \(String(cString: strerror(code))); \(advice)")
    }
}
