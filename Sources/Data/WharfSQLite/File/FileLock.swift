#if SQLite
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An advisory lock between processes, which ends with its holder.
///
/// It is held while a file is opened, created or set aside.
struct FileLock {
    let descriptor: Int32

    /// Waits until the lock is free, and takes it.
    ///
    /// - Parameter hold: ends the wait when it expires.
    /// - Throws: ``StoreError/Code/unavailable`` after `patience`, or when `hold` expires.
    static func acquire(
        _ path: String, doing what: String, patience: Duration = .seconds(10), under hold: WriteAssertion? = nil
    ) async throws(StoreError) -> FileLock {
        // The file is never removed here. A process that locks a removed file would exclude no
        // other process.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Disk.failure("open the lock file", path) }
        let deadline = ContinuousClock.now + patience
        // Non-blocking: a blocking `flock` would hold a thread of the cooperative pool.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                defer { close(descriptor) }
                throw Disk.failure("lock", path)
            }
            do {
                try hold?.check()
                guard ContinuousClock.now < deadline else {
                    throw StoreError(
                        .unavailable,
                        message:
                            "could not take the lock \(path) within \(patience): another process holds it; try again "
                            + "later"
                    )
                }
                // Another process can't wake this one, so the lock is polled.
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                // The descriptor would otherwise stay open for the life of the process.
                close(descriptor)
                throw error as? StoreError ?? .cancelled(what)
            }
        }
        return FileLock(descriptor: descriptor)
    }

    func release() {
        // Closing is not enough: a newly forked child holds the lock too, until it executes another
        // program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
#endif
