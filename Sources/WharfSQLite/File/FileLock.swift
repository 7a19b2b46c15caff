#if SQLite
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An advisory lock between processes, held while a file is opened, made or set aside. It ends with
/// its holder.
struct FileLock {
    let descriptor: Int32

    /// Waits for whoever holds it.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` after `patience`.
    static func acquire(
        _ path: String, doing what: String, patience: Duration = .seconds(10)
    ) async throws(StoreError) -> FileLock {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Disk.failure("open the lock file", path) }
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                defer { close(descriptor) }
                throw Disk.failure("lock", path)
            }
            do {
                guard ContinuousClock.now < deadline else {
                    throw StoreError(
                        .unavailable,
                        message:
                            "expected the lock \(path) within \(patience), but another process holds it; try again later"
                    )
                }
                // Another process can't wake us; this is a wait for the disk, not for time.
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                close(descriptor)
                throw error as? StoreError ?? .cancelled(what)
            }
        }
        return FileLock(descriptor: descriptor)
    }

    func release() {
        // A child process that has just been forked has the lock, too, until it is another program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
#endif
