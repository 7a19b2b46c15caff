internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The file operations on a database file outside of SQLite.
///
/// Except for the copy of a damaged file, none of them opens an existing database file. Closing any
/// descriptor of a file releases all POSIX locks of this process on it, even those of another store
/// on the same path.
enum Disk {
    static let companions = ["-wal", "-shm"]

    /// The identity of the file at a path, without opening it; nil if there is none.
    static func identity(_ path: String) -> [UInt64]? {
        // By stat, because opening and closing the file would release this process's locks.
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// The path of a file without symbolic links; the same path if there is no file.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates the directory of `path` and its parents, readable by the user alone.
    ///
    /// - Parameter made: called with the directory if it is new. It is not called with the parents,
    ///   which other programs may use too. If it throws, the directory is removed.
    static func makeDirectory(
        of path: String, made: (String) throws(StoreError) -> Void = { (_) throws(StoreError) in }
    ) throws(StoreError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        // mkdir first: if it exists, the parents are not looked at.
        if mkdir(directory, 0o700) != 0 {
            // If it is a file, opening a file in it fails.
            if errno == EEXIST { return }
            guard errno == ENOENT else { throw failure("make the directory", directory) }
            try makeDirectory(of: directory)
            if mkdir(directory, 0o700) != 0 {
                // Another process may have made it between the two calls.
                if errno == EEXIST { return }
                throw failure("make the directory", directory)
            }
        }
        do throws(StoreError) {
            try made(directory)
        } catch {
            // The first error is the cause, so an error of `rmdir` is ignored. A directory that
            // stays is empty.
            rmdir(directory)
            throw error
        }
    }

    /// Creates an empty file that only the user may read, if there is none.
    ///
    /// SQLite gives the file's mode to its companions. An existing file is closed to other users.
    ///
    /// - Parameter made: called with the path of a new file, before it is opened. If it throws, the
    ///   file is removed.
    static func makePrivateFile(
        _ path: String, made: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        // O_EXCL: exactly one process makes the file, and sets its attributes.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // Closed at once. SQLite has no lock on it yet that this could release.
            close(descriptor)
            do throws(StoreError) {
                try made(path)
            } catch {
                try remove(path)
                throw error
            }
            return
        }
        guard errno == EEXIST else { throw failure("make the file", path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("look at the file", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                .unavailable,
                message: "the path \(path) names a directory or device, not a file; choose another path"
            )
        }
        // `access` needs no descriptor, so no lock of this process is released.
        guard access(path, R_OK | W_OK) == 0 else { throw failure("read and write", path) }
        // An older version or a copy may have left the log readable by others.
        for file in [path] + companions.map({ path + $0 }) {
            guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard chmod(file, 0o600) == 0 else { throw failure("deny other users access to", file) }
        }
    }

    static func checkReadableFile(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("look at the file", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                .unavailable, message: "the path \(path) names a directory or device, not a file; choose another path")
        }
        guard access(path, R_OK) == 0 else { throw failure("read", path) }
    }

    /// The size in bytes; nil if there is no such file.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// The time of the last write; nil if there is no such file.
    static func modified(_ path: String) -> WallTime? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return WallTime(secondsSince1970: Int64(status.st_mtimespec.tv_sec))
        #else
        return WallTime(secondsSince1970: Int64(status.st_mtim.tv_sec))
        #endif
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Renames a cache file and its companions to a free name that contains the time.
    ///
    /// - Returns: the new name.
    static func setAside(_ path: String, at time: WallTime) throws(StoreError) -> String {
        let base = "\(path).corrupt-\(stamp(time))"
        var name = base
        var count = 1
        // Two files may be set aside in one second.
        while exists(name) {
            count += 1
            name = "\(base)-\(count)"
        }
        // The companions first: if the process dies in between, the file without its log is found
        // corrupt or valid. A new file never meets an old log.
        for suffix in companions + [""] where exists(path + suffix) {
            guard rename(path + suffix, name + suffix) == 0 else { throw failure("set aside", path + suffix) }
        }
        return name
    }

    /// The files that were set aside for this one, and their companions.
    static func setAside(of path: String) throws(StoreError) -> [String] {
        try files(beside: path, beginning: ".corrupt-")
    }

    /// The files in the same folder whose names begin with this file's name.
    ///
    /// - Parameter suffix: the beginning of the rest of their names.
    static func files(beside path: String, beginning suffix: String) throws(StoreError) -> [String] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + suffix
        guard let directory = opendir(folder) else { throw failure("list the directory", folder) }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            // Swift imports C's array as a tuple; the name in it ends with a zero.
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { found.append(folder + name) }
        }
        return found
    }

    static func touch(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make the file", path) }
        close(descriptor)
    }

    static func remove(_ path: String) throws(StoreError) {
        // Another process may have removed it, which is the wanted result.
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
    }

    /// Removes a database with its log, index and lock file.
    static func removeDatabase(_ path: String) throws(StoreError) {
        // The log goes first: a log that outlives its database could meet a new one.
        for suffix in companions + ["", ".lock"] { try remove(path + suffix) }
    }

    /// The time as in `20261121T014045Z`.
    static func stamp(_ time: WallTime) -> String {
        var seconds = time_t(time.secondsSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = "\(parts.tm_year + 1900)\(padded(parts.tm_mon + 1))\(padded(parts.tm_mday))"
        return date + "T\(padded(parts.tm_hour))\(padded(parts.tm_min))\(padded(parts.tm_sec))Z"
    }

    static func failure(_ what: String, _ path: String) -> StoreError {
        // Read before any other call can change it.
        let code = errno
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let isFull = code == ENOSPC || code == EDQUOT
        return StoreError(
            isFull ? .full : .unavailable,
            message:
                "could not \(what) \(path): \(reason); \(isFull ? "make room on the disk" : "check the path and its permissions")"
        )
    }
}
