import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The temporary files of a run, to be removed at its end.
public final class Scratch: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// Creates an empty list.
    public init() {}

    /// Removes all remaining files.
    ///
    /// When it returns, no file that was added before exists.
    public func removeAll() {
        paths.withLock { paths in
            for path in paths { unlink(path) }
            paths = []
        }
    }

    /// Creates an empty temporary file that only the user can read.
    func makeFile() throws(OutputFailure) -> String {
        let name = "wharf-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let path = FileManager.default.temporaryDirectory.appending(path: name).path(percentEncoded: false)
        // Registered before it exists: a signal in between must not leave it behind.
        add(path)
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            let reason = errno
            forget(path)
            throw OutputFailure("'\(path)' could not be written", errno: reason)
        }
        close(number)
        return path
    }

    func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
    func forget(_ path: String) { _ = paths.withLock { $0.remove(path) } }

    func remove(_ path: String) {
        paths.withLock { paths in
            paths.remove(path)
            unlink(path)
        }
    }
}
