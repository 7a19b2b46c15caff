#if SQLite
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Locks on files of their own, which show that a process lives.
extension FileLock {
    /// Creates a file and locks it until ``release()`` or the death of the process.
    ///
    /// - Returns: nil if the name is taken. The caller tries another one.
    static func make(_ path: String) throws(StoreError) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return nil }
            throw Disk.failure("make the lock file", path)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            // A sweeping process examines the file between `open` and `flock`, and removes it.
            if errno == EWOULDBLOCK { return nil }
            let failure = Disk.failure("lock", path)
            unlink(path)
            throw failure
        }
        // That process may also have removed the file before `flock`. Then the lock is on a file
        // without a name, which no other process finds.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
            close(descriptor)
            return nil
        }
        return FileLock(descriptor: descriptor)
    }

    /// Whether an app that may be suspended can hold a lock at this path.
    ///
    /// iOS and its kin kill an app that is suspended while it holds a lock in the container of an
    /// app group (0xdead10cc).
    static func mayBeHeld(at path: String) -> Bool {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        !path.contains("/Shared/AppGroup/")
        #else
        true
        #endif
    }

    /// Whether a file exists and no process holds its lock.
    static func isFree(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return false }
        flock(descriptor, LOCK_UN)
        return true
    }

    /// Gives the lock up, and keeps the file open.
    func unlock() { flock(descriptor, LOCK_UN) }

    /// Whether the process that made a lock file lives, judged by its lock.
    enum OwnerState {
        /// The lock is held, or can't be examined.
        case mayLive
        /// The lock was free. The file is removed.
        case dead
        case noFile
    }

    static func life(_ path: String) -> OwnerState {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .noFile : .mayLive }
        defer { close(descriptor) }
        // A shared lock: otherwise two processes that examine the file at once would each find a
        // living owner.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return .mayLive }
        unlink(path)
        // A child that is forked now holds the lock too, until it executes another program.
        flock(descriptor, LOCK_UN)
        return .dead
    }
}
#endif
