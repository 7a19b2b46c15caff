internal import Foundation
internal import WharfCore

/// The file operations of a ``FileKeyValueStore``. All of them block.
struct ValueFolder: Sendable {
    /// A function with the semantics of `fsync`, including `errno`.
    typealias Sync = @Sendable (_ descriptor: Int32) -> Int32

    static let temporaryPrefix = "tmp-"

    let path: String
    private let sync: Sync

    private var lockPath: String { path + "/lock" }

    /// Creates the folder, for the user alone, and sweeps the files of killed processes.
    ///
    /// - Parameter sync: flushes a file or folder to the disk; a test can simulate its failure.
    init(at path: String, sync: @escaping Sync = { fsync($0) }) throws(StoreError) {
        self.path = path
        self.sync = sync
        try makeFolder(path)
        try sweep()
    }

    func names() throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw StoreError(
                .unavailable, message: "could not list the folder \(path); check the path and its permissions",
                cause: error)
        }
    }

    /// Reads a file; nil if it does not exist.
    func read(_ name: String) throws(StoreError) -> [UInt8]? {
        let file = path + "/" + name
        // Without O_NONBLOCK, opening a pipe without a writer would block the thread for ever.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .disk(errno, doing: "open", file)
        }
        defer { close(descriptor) }
        // On the descriptor: the path may name another file by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .disk(errno, doing: "look at", file) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ValueFile.corrupt(file, "a directory or device") }
        let wanted = Int(status.st_size)
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                let more = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: count), wanted - count)
                // The file was truncated while it was read. Its checksum fails, which is reported
                // as damage.
                if more == 0 { return }
                if more > 0 {
                    count += more
                } else if errno != EINTR {
                    code = errno
                    return
                }
            }
        }
        guard code == 0 else { throw .disk(code, doing: "read", file) }
        return bytes
    }

    /// Replaces a file atomically. The new content is on the disk when this returns.
    func write(_ bytes: [UInt8], to name: String) throws(StoreError) {
        // The shared lock keeps a sweep of another process from removing the temporary file.
        let lock = try lockForWriting()
        defer { unlock(lock) }
        // A name of its own, so two writers never share a file.
        let temporary = path + "/" + Self.temporaryPrefix + UUID().uuidString
        do throws(StoreError) {
            try writeNew(bytes, to: temporary)
            // Renamed only after its bytes are on the disk. In the other order a loss of power
            // could leave an empty file under the name.
            guard rename(temporary, path + "/" + name) == 0 else {
                throw StoreError.disk(errno, doing: "replace", name)
            }
        } catch {
            // The first error is the cause, so an error of `unlink` is ignored. The next opening
            // sweeps the file.
            unlink(temporary)
            throw error
        }
        // The new name is in the folder's own data, which needs a sync too.
        try synchronize(folder: path, after: "the new value was written")
    }

    func remove(_ name: String) throws(StoreError) {
        guard unlink(path + "/" + name) == 0 else {
            if errno == ENOENT { return }
            throw .disk(errno, doing: "remove", path + "/" + name)
        }
        // Without it a removed value could come back after a loss of power.
        try synchronize(folder: path, after: "the value was removed")
    }
}

extension ValueFolder {
    /// Removes the partial files of killed writers.
    ///
    /// If another process is writing now, this does nothing, and the next opening of the folder
    /// sweeps.
    private func sweep() throws(StoreError) {
        let descriptor = try openLock()
        defer { unlock(descriptor) }
        // Exclusive: while it is held no writer has a temporary file, so each one found is of a
        // killed process.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK || errno == EINTR { return }
            throw .disk(errno, doing: "lock", lockPath)
        }
        for name in try names() where name.hasPrefix(Self.temporaryPrefix) {
            guard unlink(path + "/" + name) == 0 || errno == ENOENT else {
                throw .disk(errno, doing: "remove", path + "/" + name)
            }
        }
    }

    /// Releases the lock explicitly. After `close` alone, a child process would keep it from fork
    /// to exec.
    private func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the shared lock of writers, which waits only for a sweep.
    private func lockForWriting() throws(StoreError) -> Int32 {
        let descriptor = try openLock()
        while flock(descriptor, LOCK_SH) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            throw .disk(code, doing: "lock", lockPath)
        }
        return descriptor
    }

    private func openLock() throws(StoreError) -> Int32 {
        // The lock file is never removed. A lock on a removed file would exclude no later process.
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .disk(errno, doing: "open", lockPath) }
        return descriptor
    }

    private func makeFolder(_ path: String) throws(StoreError) {
        // A new folder is a name in its parent.
        if mkdir(path, 0o700) == 0 { return try synchronize(folder: Self.parent(of: path)) }
        switch errno {
        case EEXIST: return  // If it is a file, opening a file in it fails.
        case ENOENT where Self.parent(of: path) != path:
            try makeFolder(Self.parent(of: path))
            // Another process may have made it between the two calls.
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .disk(errno, doing: "make the folder", path) }
            try synchronize(folder: Self.parent(of: path))
        case let code: throw .disk(code, doing: "make the folder", path)
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func writeNew(_ bytes: [UInt8], to file: String) throws(StoreError) {
        // O_EXCL: a symbolic link or another writer's file is never followed or reused.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .disk(errno, doing: "make", file) }
        defer { close(descriptor) }
        let code = bytes.withUnsafeBytes { buffer -> Int32 in
            var written = 0
            while written < buffer.count {
                let more = Foundation.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                // A signal may interrupt the write, and a short write is continued. A call that
                // wrote nothing would be repeated for ever.
                if more > 0 { written += more } else if more == 0 { return EIO } else if errno != EINTR { return errno }
            }
            return 0
        }
        guard code == 0 else { throw .disk(code, doing: "write", file) }
        try synchronize(descriptor, file)
    }

    /// - Parameter change: the change of a value that was made already. An error must not deny it.
    private func synchronize(folder: String, after change: String? = nil) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .disk(errno, doing: "open", folder, after: change) }
        defer { close(descriptor) }
        try synchronize(descriptor, folder, after: change)
    }

    private func synchronize(_ descriptor: Int32, _ path: String, after change: String? = nil) throws(StoreError) {
        #if canImport(Darwin)
        // On Darwin fsync leaves the data in the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard sync(descriptor) == 0 else { throw .disk(errno, doing: "sync", path, after: change) }
    }
}
